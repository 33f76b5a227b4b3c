-- The scope filters that a turn was answered under, as JSON with sorted names. Earlier turns count as answered without
-- filters: they may have drawn on everything.
alter table chat_turns add column scope_filters text not null default '{}';
