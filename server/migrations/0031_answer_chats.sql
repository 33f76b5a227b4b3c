-- The chat in which the answer of a trace was asked for. Only its asker may rate the answer.
create table answer_chats (
  project_id text not null,
  trace_id text not null,
  chat_id text not null,
  constraint answer_chats_pk primary key (project_id, trace_id),
  constraint answer_chats_trace_fk foreign key (project_id, trace_id)
    references traces (project_id, trace_id) on delete cascade
) {clustered};
create index answer_chats_by_chat on answer_chats (chat_id);
