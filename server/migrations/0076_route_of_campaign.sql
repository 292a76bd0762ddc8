-- What was true of the way that a campaign's messages took when its recipients were fixed: whether they
-- left this machine, and whether deliveries and complaints are reported back. Null for campaigns of before
-- and for those that have not begun, for which the settings of today answer.
alter table campaigns
  add column leaves_machine boolean,
  add column delivery_reported boolean,
  add column complaints_reported boolean;
