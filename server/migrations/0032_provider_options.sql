-- Additional headers (encrypted by lib/secret-box) and options of a provider, such as its region.
alter table model_providers add column headers text;
alter table model_providers add column options text not null default '{}';
