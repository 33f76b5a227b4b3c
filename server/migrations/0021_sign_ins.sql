-- Sign-ins of the dashboard. What is stored is a keyed hash of the cookie, with the admin token as the key: whoever reads
-- the table cannot sign in, and another admin token ends every session.
create table sign_ins (
  secret_hash text not null,
  created_at bigint not null,
  expires_at bigint not null,
  constraint sign_ins_pk primary key (secret_hash)
);
