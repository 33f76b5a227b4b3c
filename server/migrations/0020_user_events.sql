-- Events of end users as they see them themselves, file names included. What the project's log says of the same event
-- has none; no query of a developer's reads this table. It goes with the user's private chat.
create table user_events (
  chat_id text not null,
  event_id text not null,
  type text not null,
  data text not null,
  created_at bigint not null,
  constraint user_events_pk primary key (chat_id, event_id),
  constraint user_events_chat_fk foreign key (chat_id) references chats (chat_id) on delete cascade
);
create index user_events_by_time on user_events (chat_id, created_at, event_id);

-- What the log tells of a user's doing goes with their chat, too.
alter table events add column private_chat_id text references chats (chat_id) on delete cascade;
create index events_by_private_chat on events (private_chat_id) where private_chat_id is not null;
