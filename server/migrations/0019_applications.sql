-- Applications whose end users bring an ID token of their own identity provider.
create table applications (
  app_id text not null,
  project_id text not null,
  chat_id text not null,
  app_name text not null,
  issuer text not null,
  allowed_issuers text,
  allowed_audiences text not null,
  separates_audiences integer not null,
  alg_allowlist text not null,
  jwks_uri text,
  api_access_enabled integer not null,
  created_at bigint not null,
  constraint applications_pk primary key (app_id),
  constraint applications_project_fk foreign key (project_id) references projects (project_id) on delete cascade,
  constraint applications_chat_fk foreign key (chat_id) references chats (chat_id) on delete cascade
);
create index applications_by_chat on applications (chat_id);

-- A chat with an application is the private sub-chat of one of its users.
alter table chats add column app_id text references applications (app_id) on delete cascade;
create index chats_by_app on chats (app_id) where app_id is not null;

-- Who is who: one row for each application and identity. The identity's hash covers issuer, audience and subject, which
-- may be longer than an index takes.
create table app_users (
  app_id text not null,
  user_id text not null,
  chat_id text not null,
  identity_hash text not null,
  issuer text not null,
  subject text not null,
  created_at bigint not null,
  constraint app_users_pk primary key (app_id, user_id),
  constraint app_users_identity_unique unique (app_id, identity_hash),
  constraint app_users_app_fk foreign key (app_id) references applications (app_id) on delete cascade,
  constraint app_users_chat_fk foreign key (chat_id) references chats (chat_id) on delete cascade
);
create unique index app_users_by_id on app_users (user_id);
create unique index app_users_by_chat on app_users (chat_id);
