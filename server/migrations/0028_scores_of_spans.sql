-- The span that a score is about; null for the whole trace.
alter table scores add column span_id text;
