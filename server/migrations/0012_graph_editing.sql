-- Graph endpoints name a document, chunk or relationship by its id alone, so each stands once on the server.
create unique index documents_by_id on documents (file_id);
create unique index chunks_by_id on chunks (chunk_id);
create unique index relationships_by_id on relationships (relationship_id);

-- What people add to a node, JSON.
alter table documents add column properties text not null default '{}';
alter table chunks add column properties text not null default '{}';

-- The order of a HAS_CHUNK relationship is that of its chunk, and is no longer kept twice.
update relationships set properties = '{}' where type = 'HAS_CHUNK';
