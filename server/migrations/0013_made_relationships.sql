-- The document that a relationship was made from by background work; null for those that hold a document together and
-- for those that people make.
alter table relationships add column file_id text;
create index relationships_by_file on relationships (chat_id, file_id) where file_id is not null;

-- Documents from before get theirs as well.
insert into jobs (job_id, queue, payload, status, run_at, attempts, created_at)
select 'relate_' || chat_id || '_' || file_id || '_' || cast(version as text), 'relationships',
  '{"chat_id":"' || chat_id || '","file_id":"' || file_id || '","version":' || cast(version as text) || '}',
  'queued', 0, 0, 0
from document_segments;
