-- A project, a chat or an application is deleted in steps, by a job. Its row is `live`, and `deleting` from the first step
-- on: reads ask `projects`, `chats` and `applications`, which show live rows only; writes name the tables.
alter table projects rename to project_rows;
alter table project_rows add column state text not null default 'live';
create view projects as
select project_id, name, created_at, retention_days from project_rows where state = 'live';

alter table chats rename to chat_rows;
alter table chat_rows add column state text not null default 'live';
create view chats as
select chat_id, project_id, title, created_at, api_access_enabled, draft_settings, published_settings, published_at,
  updated_at, index_version, app_id
from chat_rows where state = 'live' and exists (
  select 1 from project_rows where project_rows.project_id = chat_rows.project_id and project_rows.state = 'live');

alter table applications rename to application_rows;
alter table application_rows add column state text not null default 'live';
create view applications as
select app_id, project_id, chat_id, app_name, issuer, allowed_issuers, allowed_audiences, separates_audiences,
  alg_allowlist, jwks_uri, api_access_enabled, created_at
from application_rows where state = 'live' and exists (
  select 1 from chats where chats.chat_id = application_rows.chat_id);
