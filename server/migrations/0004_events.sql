-- Work to be done behind a request. A job is written in the transaction of the change it follows. `run_at` is when it
-- is due; while it runs, it is the end of its lease, and `lock_token` names who holds it. Finished jobs are deleted.
create table jobs (
  job_id text not null,
  queue text not null,
  payload text not null,
  status text not null,
  run_at bigint not null,
  lock_token text,
  attempts integer not null,
  last_error text,
  created_at bigint not null,
  constraint jobs_pk primary key (job_id)
);
create index jobs_due on jobs (queue, status, run_at, job_id);

create table events (
  project_id text not null,
  event_id text not null,
  type text not null,
  data text not null,
  created_at bigint not null,
  constraint events_pk primary key (project_id, event_id),
  constraint events_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);
create index events_by_time on events (project_id, created_at, event_id);

create table webhooks (
  webhook_id text not null,
  project_id text not null,
  url text not null,
  event_types text not null,
  description text not null,
  enabled integer not null,
  disabled_reason text,
  secret text not null,
  previous_secret text,
  previous_secret_until bigint,
  created_at bigint not null,
  constraint webhooks_pk primary key (webhook_id),
  constraint webhooks_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);
create index webhooks_by_project on webhooks (project_id, created_at);

create table webhook_deliveries (
  project_id text not null,
  delivery_id text not null,
  webhook_id text not null,
  event_id text not null,
  status text not null,
  attempts integer not null,
  response_status integer,
  error text,
  duration_ms double precision,
  last_try_at bigint,
  next_try_at bigint,
  created_at bigint not null,
  constraint webhook_deliveries_pk primary key (project_id, delivery_id),
  constraint webhook_deliveries_event_fk foreign key (project_id, event_id)
    references events (project_id, event_id) on delete cascade,
  constraint webhook_deliveries_webhook_fk foreign key (webhook_id) references webhooks (webhook_id) on delete cascade
);
create index webhook_deliveries_by_webhook on webhook_deliveries (project_id, webhook_id, created_at, delivery_id);
create index webhook_deliveries_by_event on webhook_deliveries (project_id, event_id);
