-- Raised when the spans of a trace are put together again, so that other changes notice it.
alter table traces add column revision integer not null default 0;

-- Spans as received, as JSON: one row for the spans that a request has of a trace. They stay, so that a trace can be put
-- together again when it gets late spans.
create table otlp_spans (
  project_id text not null,
  trace_id text not null,
  item_id text not null,
  spans {bytes} not null,
  constraint otlp_spans_pk primary key (project_id, trace_id, item_id),
  constraint otlp_spans_project_fk foreign key (project_id) references project_rows (project_id) on delete cascade
);

-- The rows of otlp_spans that are in no trace yet, in the order of their arrival.
create table otlp_pending (
  project_id text not null,
  item_id text not null,
  trace_id text not null,
  span_count integer not null,
  span_bytes bigint not null,
  constraint otlp_pending_pk primary key (project_id, item_id),
  constraint otlp_pending_project_fk foreign key (project_id) references project_rows (project_id) on delete cascade
) {clustered};
create index otlp_pending_by_trace on otlp_pending (project_id, trace_id);

-- How large a trace is that was put together; or, with deleted_at, that it was deleted and stays so.
create table otlp_traces (
  project_id text not null,
  trace_id text not null,
  span_count integer not null,
  span_bytes bigint not null,
  has_root integer not null,
  deleted_at bigint,
  constraint otlp_traces_pk primary key (project_id, trace_id),
  constraint otlp_traces_project_fk foreign key (project_id) references project_rows (project_id) on delete cascade
) {clustered};
create index otlp_traces_by_deletion on otlp_traces (project_id, deleted_at) where deleted_at is not null;
