-- Scorers of a project's own: what a model is asked, and what its answers are worth (JSON).
create table scorers (
  project_id text not null,
  slug text not null,
  description text,
  prompt text not null,
  choices text not null,
  model text,
  created_at bigint not null,
  updated_at bigint not null,
  constraint scorers_pk primary key (project_id, slug),
  constraint scorers_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);

-- USD that a judge's calls to a model came to.
alter table scores add column cost double precision;
