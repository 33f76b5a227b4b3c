-- Test suites with their cases. Tags, assertions and targets are JSON; headers of a target are sealed.
create table test_suites (
  project_id text not null,
  suite_id text not null,
  name text not null,
  description text,
  tags text not null,
  target text,
  target_headers text,
  created_at bigint not null,
  constraint test_suites_pk primary key (project_id, suite_id),
  constraint test_suites_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);

-- Ids sort by time, so the key is the order of the cases.
create table test_cases (
  project_id text not null,
  suite_id text not null,
  case_id text not null,
  query text not null,
  expected_answer text not null,
  category text,
  assertions text not null,
  trace_id text,
  created_at bigint not null,
  constraint test_cases_pk primary key (project_id, suite_id, case_id),
  constraint test_cases_suite_fk foreign key (project_id, suite_id)
    references test_suites (project_id, suite_id) on delete cascade
);

-- Sums are kept as results are written, so progress costs one row. Cases from next_position on are nobody's yet.
create table test_runs (
  project_id text not null,
  run_id text not null,
  suite_id text not null,
  name text,
  notes text,
  status text not null,
  error text,
  target text not null,
  target_headers text,
  version_id text,
  version text,
  concurrency integer not null,
  timeout_ms integer not null,
  total integer not null,
  next_position integer not null,
  passed integer not null,
  failed integer not null,
  errors integer not null,
  latency_sum double precision not null,
  cost_sum double precision not null,
  judge_cost double precision not null,
  started_at bigint not null,
  completed_at bigint,
  constraint test_runs_pk primary key (project_id, run_id),
  constraint test_runs_suite_fk foreign key (project_id, suite_id)
    references test_suites (project_id, suite_id) on delete cascade
);
create index test_runs_by_suite on test_runs (project_id, suite_id, run_id);
create index test_runs_by_version on test_runs (project_id, version_id, suite_id, run_id);

-- A copy of each case as it was when the run began, and what came of it. `lane` is the worker that has taken it;
-- `finished` counts the results of the run in the order in which they were written, null until there is one.
create table test_results (
  project_id text not null,
  run_id text not null,
  position integer not null,
  case_id text not null,
  query text not null,
  expected_answer text not null,
  category text,
  assertions text not null,
  lane integer,
  attempts integer not null,
  finished integer,
  passed integer,
  actual_output text,
  latency_ms double precision,
  cost double precision,
  judge_cost double precision,
  verdicts text,
  judgement text,
  trace_id text,
  error text,
  constraint test_results_pk primary key (project_id, run_id, position),
  constraint test_results_case_unique unique (project_id, run_id, case_id),
  constraint test_results_run_fk foreign key (project_id, run_id)
    references test_runs (project_id, run_id) on delete cascade
);
