-- Prices that a project sets for itself, in USD per 1,000,000 tokens. Null: priced like the whole.
create table project_prices (
  project_id text not null,
  price_id text not null,
  model text not null,
  start_date bigint not null,
  input double precision not null,
  output double precision not null,
  cache_read double precision,
  cache_write double precision,
  reasoning double precision,
  audio_input double precision,
  audio_output double precision,
  created_at bigint not null,
  constraint project_prices_pk primary key (project_id, price_id),
  constraint project_prices_start_unique unique (project_id, model, start_date),
  constraint project_prices_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);
