-- Copies of a chat's settings as they were published, the last few of each chat.
create table chat_publications (
  chat_id text not null,
  published_at bigint not null,
  settings text not null,
  constraint chat_publications_pk primary key (chat_id, published_at),
  constraint chat_publications_chat_fk foreign key (chat_id) references chats (chat_id) on delete cascade
);
insert into chat_publications (chat_id, published_at, settings)
  select chat_id, coalesce(published_at, created_at), published_settings from chats
  where published_settings is not null;
