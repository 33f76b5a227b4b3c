-- The embedding model that a chat chooses in its settings in use; null for the server's.
alter table chat_rows add column embedding_model text;

drop view applications;
drop view chats;
create view chats as
select chat_id, project_id, title, created_at, api_access_enabled, draft_settings, published_settings, published_at,
  updated_at, index_version, app_id, embedding_model
from chat_rows where state = 'live' and exists (
  select 1 from project_rows where project_rows.project_id = chat_rows.project_id and project_rows.state = 'live');
create view applications as
select app_id, project_id, chat_id, app_name, issuer, allowed_issuers, allowed_audiences, separates_audiences,
  alg_allowlist, jwks_uri, api_access_enabled, created_at
from application_rows where state = 'live' and exists (
  select 1 from chats where chats.chat_id = application_rows.chat_id);

-- Models that the console has chosen for the whole server; they override the environment.
create table model_defaults (
  name text not null,
  model text not null,
  updated_at bigint not null,
  constraint model_defaults_pk primary key (name)
);
