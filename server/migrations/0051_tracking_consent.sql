-- Whom a business tracks: everyone who did not object, those who agreed, or nobody.
alter table businesses
  add column tracking text not null default 'everyone'
    check (tracking in ('everyone', 'agreed', 'nobody')),
  -- For how many days after a followed link an order counts for its campaign.
  add column attribution_days smallint not null default 5 check (attribution_days between 1 and 90);

alter table contacts
  add column tracking_consent text not null default 'none'
    check (tracking_consent in ('none', 'subscribed', 'unsubscribed'));

-- The ledger's column "channel" names what a consent is about: a channel, or being tracked.
alter table consent_events
  drop constraint consent_events_channel_check,
  add constraint consent_events_channel_check check (channel in ('email', 'sms', 'tracking'));
