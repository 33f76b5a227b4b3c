-- The scopes that a chat's documents may carry; a chat without a row takes any valid name.
create table scope_configurations (
  chat_id text not null,
  definitions text not null,
  constraint scope_configurations_pk primary key (chat_id),
  constraint scope_configurations_chat_fk foreign key (chat_id) references chats (chat_id) on delete cascade
);
