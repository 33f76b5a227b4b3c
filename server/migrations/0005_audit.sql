-- Console changes. Of no tenant, and without foreign keys: entries outlive the projects they are about.
create table audit_entries (
  entry_id text not null,
  created_at bigint not null,
  action text not null,
  params text not null,
  project_id text,
  body text not null,
  remote_address text not null,
  status integer,
  constraint audit_entries_pk primary key (entry_id)
);
create index audit_entries_by_time on audit_entries (created_at, entry_id);
create index audit_entries_by_project on audit_entries (project_id, created_at, entry_id);
