-- The project that a job is done for, so that projects take turns; '' for a job whose project is unknown.
alter table jobs add column project_id text not null default '';
update jobs set project_id = substr(payload, 16, 25) where payload like '{"project_id":"proj_%';
update jobs set project_id = coalesce(
  (select chats.project_id from chats where chats.chat_id = substr(jobs.payload, 13, 24)), '')
where payload like '{"chat_id":"chat%';
create index jobs_by_project on jobs (queue, status, project_id, run_at, job_id);
