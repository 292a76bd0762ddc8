-- Mail is throttled and paused by kind and by the provider that receives it, too: what one provider
-- refuses of a campaign holds neither receipts nor the mail to others. Rows from before count for
-- all providers of their domain in warm-up (provider '*'), since they say when it began to send.
alter table send_throttles
  add column kind text not null default 'marketing' check (kind in ('transactional', 'marketing')),
  add column provider text not null default '*';
alter table send_throttles
  alter column kind drop default,
  alter column provider drop default,
  drop constraint send_throttles_pkey,
  add primary key (route, domain, kind, provider);
update send_throttles set paused_until = null, slowed_at = null;

-- The provider of the recipient at the time of the last attempt.
alter table messages add column provider text;
