-- Whether a person wants the mails of feeds alone, of all marketing.
alter table contact_attention add column digest_only boolean not null default false;
