-- Ways to give the chunks of a chat vectors: of kind `lsa`, fitted to the chat's own chunks (`fit`, of `chunk_count` of
-- them), or `embedding`, by a provider's `model`. Of each kind at most one is active: the one that questions use.
create table vector_spaces (
  chat_id text not null,
  space_id text not null,
  kind text not null,
  model text not null,
  dimensions integer not null,
  fit {bytes},
  chunk_count integer not null,
  active integer not null,
  created_at bigint not null,
  constraint vector_spaces_pk primary key (chat_id, space_id),
  constraint vector_spaces_chat_fk foreign key (chat_id) references chats (chat_id) on delete cascade
);

-- The vectors of a document's chunks, one after the other, as 32-bit floats. `version` is the chat's index version when
-- they were written.
create table document_vectors (
  chat_id text not null,
  space_id text not null,
  file_id text not null,
  version bigint not null,
  vectors {bytes} not null,
  constraint document_vectors_pk primary key (chat_id, space_id, file_id),
  constraint document_vectors_space_fk foreign key (chat_id, space_id)
    references vector_spaces (chat_id, space_id) on delete cascade,
  constraint document_vectors_document_fk foreign key (chat_id, file_id)
    references documents (chat_id, file_id) on delete cascade
);
create index document_vectors_by_document on document_vectors (chat_id, file_id);
