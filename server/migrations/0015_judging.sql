-- Where a score comes from: source is human, judge, batch or rule (null on scores from before), source_id the batch or
-- the rule, scorer the slug of the judge.
alter table scores add column source text;
alter table scores add column source_id text;
alter table scores add column scorer text;
alter table scores add column method text;
alter table scores add column model text;

-- In the whole order of the list of scores.
drop index scores_by_time;
create index scores_by_time on scores (project_id, created_at, score_id);
create index scores_by_name on scores (project_id, name, created_at, score_id);

-- Batches of stored traces that a scorer judges, newest first from after_ms, after_id on. step counts what is written.
create table scorings (
  project_id text not null,
  scoring_id text not null,
  scorer text not null,
  filter text not null,
  sample_rate double precision not null,
  max_traces bigint,
  overwrite integer not null,
  state text not null,
  step bigint not null,
  after_ms bigint,
  after_id text,
  total bigint,
  done bigint not null,
  failed bigint not null,
  already_scored bigint not null,
  no_expected_output bigint not null,
  deleted bigint not null,
  score_sum double precision not null,
  cost double precision not null,
  error text,
  created_at bigint not null,
  completed_at bigint,
  constraint scorings_pk primary key (project_id, scoring_id),
  constraint scorings_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);
create index scorings_by_time on scorings (project_id, created_at, scoring_id);

create table scoring_failures (
  project_id text not null,
  scoring_id text not null,
  trace_id text not null,
  reason text not null,
  failed_at bigint not null,
  constraint scoring_failures_pk primary key (project_id, scoring_id, trace_id),
  constraint scoring_failures_scoring_fk foreign key (project_id, scoring_id)
    references scorings (project_id, scoring_id) on delete cascade
);
create index scoring_failures_by_time on scoring_failures (project_id, scoring_id, failed_at, trace_id);

-- Rules by which traces are judged as they arrive.
create table scoring_rules (
  project_id text not null,
  rule_id text not null,
  name text not null,
  scorer text not null,
  filter text not null,
  sample_rate double precision not null,
  enabled integer not null,
  scored bigint not null,
  failed bigint not null,
  skipped bigint not null,
  score_sum double precision not null,
  cost double precision not null,
  last_scored_at bigint,
  last_error text,
  last_error_at bigint,
  created_at bigint not null,
  updated_at bigint not null,
  constraint scoring_rules_pk primary key (project_id, rule_id),
  constraint scoring_rules_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);

-- Traces that a rule has yet to look at; written with them. No reference to the rule: one that another process has
-- just deleted must not refuse traces.
create table scoring_arrivals (
  project_id text not null,
  rule_id text not null,
  arrival_id text not null,
  trace_ids text not null,
  constraint scoring_arrivals_pk primary key (project_id, rule_id, arrival_id),
  constraint scoring_arrivals_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);
