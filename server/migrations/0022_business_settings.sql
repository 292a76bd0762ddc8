-- What owners set by themselves. Without a reply-to address answers go to the sender's; the
-- colour is that of links and buttons in generated mail.
alter table businesses
  add column two_people boolean not null default false,
  add column reply_to text,
  add column colour text;
