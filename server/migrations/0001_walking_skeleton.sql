-- One text for SQLite and PostgreSQL. Times are epoch milliseconds; booleans are 0 or 1; JSON is text.
-- {bytes} is blob on SQLite and bytea on PostgreSQL.

create table projects (
  project_id text not null,
  name text not null,
  created_at bigint not null,
  constraint projects_pk primary key (project_id)
);

create table chats (
  chat_id text not null,
  project_id text not null,
  title text not null,
  created_at bigint not null,
  api_access_enabled integer not null,
  draft_settings text not null,
  published_settings text,
  published_at bigint,
  index_version bigint not null,
  constraint chats_pk primary key (chat_id),
  constraint chats_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);
create index chats_by_project on chats (project_id, created_at);

create table api_keys (
  key_id text not null,
  project_id text not null,
  chat_id text,
  name text not null,
  permissions text not null,
  secret_hash text not null,
  last4 text not null,
  created_at bigint not null,
  constraint api_keys_pk primary key (key_id),
  constraint api_keys_secret_unique unique (secret_hash),
  constraint api_keys_project_fk foreign key (project_id) references projects (project_id) on delete cascade,
  constraint api_keys_chat_fk foreign key (chat_id) references chats (chat_id) on delete cascade
);
create index api_keys_by_project on api_keys (project_id, created_at);
create index api_keys_by_chat on api_keys (chat_id, created_at);

create table traces (
  project_id text not null,
  trace_id text not null,
  created_at bigint not null,
  status text not null,
  model text,
  version text,
  session_id text,
  user_id text,
  environment text,
  latency_ms double precision,
  cost double precision,
  constraint traces_pk primary key (project_id, trace_id),
  constraint traces_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);
create index traces_by_time on traces (project_id, created_at, trace_id);

create table trace_bodies (
  project_id text not null,
  trace_id text not null,
  body {bytes} not null,
  constraint trace_bodies_pk primary key (project_id, trace_id),
  constraint trace_bodies_trace_fk foreign key (project_id, trace_id)
    references traces (project_id, trace_id) on delete cascade
);

create table scores (
  project_id text not null,
  trace_id text not null,
  score_id text not null,
  name text not null,
  value double precision not null,
  comment text,
  created_at bigint not null,
  constraint scores_pk primary key (project_id, trace_id, score_id),
  constraint scores_trace_fk foreign key (project_id, trace_id)
    references traces (project_id, trace_id) on delete cascade
);

create table documents (
  chat_id text not null,
  file_id text not null,
  filename text not null,
  sha256 text not null,
  size_bytes bigint not null,
  chunk_count integer not null,
  scope_values text not null,
  created_at bigint not null,
  constraint documents_pk primary key (chat_id, file_id),
  constraint documents_chat_fk foreign key (chat_id) references chats (chat_id) on delete cascade
);
create index documents_by_time on documents (chat_id, created_at);

create table document_texts (
  chat_id text not null,
  file_id text not null,
  text text not null,
  constraint document_texts_pk primary key (chat_id, file_id),
  constraint document_texts_document_fk foreign key (chat_id, file_id)
    references documents (chat_id, file_id) on delete cascade
);

create table chunks (
  chat_id text not null,
  chunk_id text not null,
  file_id text not null,
  chunk_order integer not null,
  start_offset integer not null,
  end_offset integer not null,
  page integer,
  heading_path text not null,
  text text not null,
  constraint chunks_pk primary key (chat_id, chunk_id),
  constraint chunks_order_unique unique (chat_id, file_id, chunk_order),
  constraint chunks_document_fk foreign key (chat_id, file_id)
    references documents (chat_id, file_id) on delete cascade
);

create table relationships (
  chat_id text not null,
  relationship_id text not null,
  source_id text not null,
  target_id text not null,
  type text not null,
  properties text not null,
  constraint relationships_pk primary key (chat_id, relationship_id),
  constraint relationships_chat_fk foreign key (chat_id) references chats (chat_id) on delete cascade
);
create index relationships_by_source on relationships (chat_id, source_id);
create index relationships_by_target on relationships (chat_id, target_id);
