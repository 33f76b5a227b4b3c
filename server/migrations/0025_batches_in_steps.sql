-- A large batch is written in several transactions. Its key comes with the first one, and is complete with the last one:
-- when the server dies in between, the same request writes what is missing.
alter table idempotency_keys add column complete integer not null default 1;
