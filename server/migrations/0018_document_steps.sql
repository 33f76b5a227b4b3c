-- A document is written, and deleted, in small transactions, so that others get their turn in between. Nobody sees it
-- before the last one of its writing, nor after the first one of its deletion: what reads asks `documents` and `chunks`,
-- which show stored documents only; what writes names `document_rows` and `chunk_rows`. `state` is `writing`, `stored`
-- or `going`; one that is not stored and whose `lease_until` is over has been left behind, and is swept.
alter table documents rename to document_rows;
alter table document_rows add column state text not null default 'stored';
alter table document_rows add column lease_until bigint;
create index document_rows_unfinished on document_rows (lease_until) where lease_until is not null;
create view documents as
select chat_id, file_id, filename, sha256, size_bytes, chunk_count, scope_values, created_at, properties
from document_rows where state = 'stored';

alter table chunks rename to chunk_rows;
create view chunks as
select chat_id, chunk_id, file_id, chunk_order, start_offset, end_offset, page, heading_path, text, properties
from chunk_rows where exists (
  select 1 from document_rows where document_rows.chat_id = chunk_rows.chat_id
    and document_rows.file_id = chunk_rows.file_id and document_rows.state = 'stored');

-- A text in parts, in their order: a step writes one.
create table document_text_parts (
  chat_id text not null,
  file_id text not null,
  part integer not null,
  text text not null,
  constraint document_text_parts_pk primary key (chat_id, file_id, part),
  constraint document_text_parts_document_fk foreign key (chat_id, file_id)
    references document_rows (chat_id, file_id) on delete cascade
);
insert into document_text_parts (chat_id, file_id, part, text) select chat_id, file_id, 0, text from document_texts;
drop table document_texts;

-- HAS_CHUNK and NEXT follow from the chunks and are stored no more, but for the properties that people set on them:
-- on the HAS_CHUNK that leads to a chunk, on the NEXT that begins at it.
create table link_properties (
  chat_id text not null,
  chunk_id text not null,
  type text not null,
  properties text not null,
  constraint link_properties_pk primary key (chat_id, chunk_id, type),
  constraint link_properties_chunk_fk foreign key (chat_id, chunk_id)
    references chunk_rows (chat_id, chunk_id) on delete cascade
);
insert into link_properties (chat_id, chunk_id, type, properties)
select chat_id, case when type = 'NEXT' then source_id else target_id end, type, properties
from relationships where type in ('HAS_CHUNK', 'NEXT') and properties <> '{}';
delete from relationships where type in ('HAS_CHUNK', 'NEXT');
