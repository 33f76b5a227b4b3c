-- What the index of a chat holds of each document, made ready when the document is stored: see domains/retrieval.
-- `version` is the chat's index version when the document was last changed; a segment that is null or of another format
-- is made anew from the chunks. `chunk_ids` are in order, a space between them.
create table document_segments (
  chat_id text not null,
  file_id text not null,
  version bigint not null,
  format integer not null,
  segment {bytes},
  chunk_ids text not null,
  constraint document_segments_pk primary key (chat_id, file_id),
  constraint document_segments_document_fk foreign key (chat_id, file_id)
    references documents (chat_id, file_id) on delete cascade
);
create index document_segments_by_version on document_segments (chat_id, version);

-- Documents from before: their segments are made when they are first needed.
insert into document_segments (chat_id, file_id, version, format, segment, chunk_ids)
select chat_id, file_id, 0, 0, null, '' from documents;
