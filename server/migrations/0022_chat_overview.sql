-- What lists of chats and files show. `updated_at` is when title, settings, access or documents last changed; `pages` is
-- null for documents without pages.
alter table chats add column updated_at bigint not null default 0;
update chats set updated_at = case when published_at > created_at then published_at else created_at end;

alter table document_rows add column pages integer;
update document_rows set pages = (
  select max(page) from chunk_rows
  where chunk_rows.chat_id = document_rows.chat_id and chunk_rows.file_id = document_rows.file_id);
drop view documents;
create view documents as
select chat_id, file_id, filename, sha256, size_bytes, chunk_count, pages, scope_values, created_at, properties
from document_rows where state = 'stored';
