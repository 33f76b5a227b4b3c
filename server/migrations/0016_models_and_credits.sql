-- Providers of models as the console has set them. api_key is sealed by lib/secret-box.
create table model_providers (
  provider text not null,
  api_key text,
  api_key_last4 text,
  base_url text,
  models text not null,
  updated_at bigint not null,
  constraint model_providers_pk primary key (provider)
);

-- Credits of 1,000 tokens, where the built-in table is not what holds.
create table credit_multipliers (
  model text not null,
  multiplier double precision not null,
  updated_at bigint not null,
  constraint credit_multipliers_pk primary key (model)
);

-- Sums by day (UTC). Empty text: of no chat, application or user. Outlives the traces and chats it was made by.
create table usage_days (
  project_id text not null,
  day bigint not null,
  chat_id text not null,
  app_id text not null,
  user_id text not null,
  model text not null,
  purpose text not null,
  answers bigint not null,
  prompt_tokens bigint not null,
  completion_tokens bigint not null,
  credits double precision not null,
  cost double precision not null,
  unpriced bigint not null,
  constraint usage_days_pk primary key (project_id, day, chat_id, app_id, user_id, model, purpose),
  constraint usage_days_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);

create table budgets (
  budget_id text not null,
  project_id text not null,
  scope text not null,
  scope_id text not null,
  period text not null,
  unit text not null,
  amount double precision not null,
  created_at bigint not null,
  constraint budgets_pk primary key (budget_id),
  constraint budgets_project_fk foreign key (project_id) references projects (project_id) on delete cascade
);
create index budgets_by_project on budgets (project_id, created_at);

-- What is spent of a budget, in its unit. Its row is the lock under which answers reserve their part.
create table budget_periods (
  budget_id text not null,
  period_start bigint not null,
  spent double precision not null,
  exceeded_at bigint,
  constraint budget_periods_pk primary key (budget_id, period_start),
  constraint budget_periods_budget_fk foreign key (budget_id) references budgets (budget_id) on delete cascade
);

-- Parts of a budget held for answers under way, by a lease that the process renews.
create table budget_reservations (
  budget_id text not null,
  period_start bigint not null,
  reservation_id text not null,
  amount double precision not null,
  expires_at bigint not null,
  constraint budget_reservations_pk primary key (budget_id, period_start, reservation_id),
  constraint budget_reservations_budget_fk foreign key (budget_id) references budgets (budget_id) on delete cascade
);
create index budget_reservations_by_id on budget_reservations (reservation_id);
