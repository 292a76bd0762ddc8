-- What marketing reached, or is about to, without a person's approval. The row of a business is
-- held while its buckets are looked at; `pending` are the recipients of campaigns under way, who
-- may be reached at any moment. A bucket is half an hour, and may lie ahead.
create table unapproved_reach (
  business_id uuid primary key,
  pending bigint not null
) with (fillfactor = 50);
create table unapproved_reach_buckets (
  business_id uuid not null,
  bucket bigint not null,
  amount bigint not null,
  primary key (business_id, bucket)
) with (fillfactor = 50);

-- `unapproved` are the recipients that a campaign holds of the limit and has not reached yet.
alter table campaigns
  add column unapproved integer not null default 0,
  add column ordered_by uuid,
  add column refusal_reason text,
  add column audience_wish text;
