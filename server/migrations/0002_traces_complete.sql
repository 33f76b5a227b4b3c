-- {clustered} is "without rowid" on SQLite: rows live in their primary key. {integers} is blob on SQLite and
-- integer[] on PostgreSQL. A statement after {postgres} is for PostgreSQL alone.

alter table projects add column retention_days integer;

alter table traces add column cost_source text;
alter table traces add column llm_cost double precision;
alter table traces add column embedding_cost double precision;
alter table traces add column reranking_cost double precision;
alter table traces add column prompt_tokens double precision;
alter table traces add column completion_tokens double precision;
alter table traces add column total_tokens double precision;

-- In the whole order of the list: else SQLite would rather follow traces_by_time, past every trace in between.
create index traces_by_status on traces (project_id, status, created_at, trace_id);
create index traces_by_model on traces (project_id, model, created_at, trace_id) where model is not null;
create index traces_by_version on traces (project_id, version, created_at, trace_id) where version is not null;
create index traces_by_environment on traces (project_id, environment, created_at, trace_id) where environment is not null;
create index traces_by_session on traces (project_id, session_id, created_at, trace_id) where session_id is not null;
create index traces_by_user on traces (project_id, user_id, created_at, trace_id) where user_id is not null;

-- Tags (name 'tag') and custom attributes (name 'attr.<key>') by which traces are filtered and grouped.
create table trace_labels (
  project_id text not null,
  name text not null,
  value text not null,
  created_at bigint not null,
  trace_id text not null,
  constraint trace_labels_pk primary key (project_id, name, value, created_at, trace_id),
  constraint trace_labels_project_fk foreign key (project_id) references projects (project_id) on delete cascade
) {clustered};

-- Sums over the traces of a stretch of time, of a project (dimension 'all') or of one value of a dimension.
create table rollups (
  project_id text not null,
  width_ms integer not null,
  dimension text not null,
  value text not null,
  bucket bigint not null,
  traces bigint not null,
  errors bigint not null,
  latencies bigint not null,
  latency_sum double precision not null,
  costs bigint not null,
  cost_sum double precision not null,
  llm_cost double precision not null,
  embedding_cost double precision not null,
  reranking_cost double precision not null,
  prompt_tokens double precision not null,
  completion_tokens double precision not null,
  total_tokens double precision not null,
  latency_sketch {integers} not null,
  constraint rollups_pk primary key (project_id, width_ms, dimension, value, bucket),
  constraint rollups_project_fk foreign key (project_id) references projects (project_id) on delete cascade
) {clustered};

-- Adds two sparse histograms [bin, count, bin, count, ...] in the order of their bins; bins that come to zero
-- are left out. SQLite has it as a function of the server's.
{postgres} create function sketch_merge(a integer[], b integer[]) returns integer[]
language sql immutable strict parallel safe as $$
  select coalesce(array_agg(part order by bin, place), '{}') from (
    select bin, sum(n)::integer as n from (
      select max(v) filter (where i % 2 = 1) as bin, max(v) filter (where i % 2 = 0) as n
      from unnest(a) with ordinality as x (v, i) group by (i + 1) / 2
      union all
      select max(v) filter (where i % 2 = 1), max(v) filter (where i % 2 = 0)
      from unnest(b) with ordinality as y (v, i) group by (i + 1) / 2
    ) as both_sides group by bin having sum(n) <> 0
  ) as merged cross join lateral (values (1, bin), (2, n)) as parts (place, part)
$$;

create index scores_by_time on scores (project_id, created_at);

-- Answers that are given again to a request that is sent again with the same Idempotency-Key.
create table idempotency_keys (
  project_id text not null,
  key_hash text not null,
  request_hash text not null,
  response text not null,
  created_at bigint not null,
  constraint idempotency_keys_pk primary key (project_id, key_hash),
  constraint idempotency_keys_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);
create index idempotency_keys_by_time on idempotency_keys (project_id, created_at);

-- How far the import of a file has come; moved on in the transaction that writes the traces. A file is known by
-- the hash of its first head_bytes bytes. bytes_from is where the last step began.
create table imports (
  project_id text not null,
  source text not null,
  head_bytes bigint not null,
  bytes_from bigint not null,
  bytes_done bigint not null,
  lines_done bigint not null,
  imported bigint not null,
  rejected bigint not null,
  rejected_bytes bigint not null,
  updated_at bigint not null,
  constraint imports_pk primary key (project_id, source),
  constraint imports_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);

update traces set cost_source = 'client', llm_cost = cost, embedding_cost = 0, reranking_cost = 0
where cost is not null;
