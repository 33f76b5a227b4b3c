-- config is JSON as bytes: a prompt comes back exactly, NUL included, which PostgreSQL refuses in text.
create table versions (
  project_id text not null,
  version_id text not null,
  version text not null,
  description text,
  config {bytes},
  created_at bigint not null,
  constraint versions_pk primary key (project_id, version_id),
  constraint versions_version_unique unique (project_id, version),
  constraint versions_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);
create index versions_by_time on versions (project_id, created_at, version_id);

-- Which version is active. One row a project, so there are never two.
create table active_versions (
  project_id text not null,
  version_id text not null,
  activated_at bigint not null,
  constraint active_versions_pk primary key (project_id),
  constraint active_versions_project_fk foreign key (project_id)
    references projects (project_id) on delete cascade,
  constraint active_versions_version_fk foreign key (project_id, version_id)
    references versions (project_id, version_id) on delete cascade
);

-- Activations of a project are given times of their own, so their order is the order in which they took effect.
create table version_activations (
  project_id text not null,
  activation_id text not null,
  version_id text not null,
  action text not null,
  activated_at bigint not null,
  constraint version_activations_pk primary key (project_id, activation_id),
  constraint version_activations_time_unique unique (project_id, activated_at),
  constraint version_activations_project_fk foreign key (project_id)
    references projects (project_id) on delete cascade,
  constraint version_activations_version_fk foreign key (project_id, version_id)
    references versions (project_id, version_id) on delete cascade
);
