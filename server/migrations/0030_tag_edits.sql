-- Changes of the tags after the trace was received, as JSON {add, remove}. A trace of spans gets them again with late spans.
alter table traces add column tag_edits text;
