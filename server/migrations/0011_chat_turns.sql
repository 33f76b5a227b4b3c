-- Questions of a conversation and what a model answered; `session_key` is a hash of the name that the caller gave.
create table chat_turns (
  chat_id text not null,
  session_key text not null,
  turn_id text not null,
  created_at bigint not null,
  question text not null,
  answer text not null,
  constraint chat_turns_pk primary key (chat_id, session_key, turn_id),
  constraint chat_turns_chat_fk foreign key (chat_id) references chats (chat_id) on delete cascade
);
create index chat_turns_by_time on chat_turns (chat_id, created_at);
