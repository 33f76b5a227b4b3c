-- The file, and the end user, that an event names to the developer: what is looked up has a column.
alter table events add column file_id text;
alter table events add column user_id text;
update events set user_id = (
  select max(app_users.user_id) from app_users
  join application_rows on application_rows.app_id = app_users.app_id
  where application_rows.project_id = events.project_id
    and events.data like '%"scope_id":"' || app_users.user_id || '"%')
where type = 'budget_exceeded' and data like '%"scope":"user"%';
create index events_by_file on events (project_id, file_id) where file_id is not null;
create index events_by_user on events (project_id, user_id) where user_id is not null;
