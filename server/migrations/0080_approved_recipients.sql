-- How many recipients the approval of a campaign showed: it covers those, and a tenth more. Null for
-- what a person orders in the app, and for campaigns that were approved before.
alter table campaigns add column approved_recipients integer;

-- Those that wait for their hour were approved by the number that is stored.
update campaigns set approved_recipients = recipients
where state = 'scheduled' and approval = 'approved' and connection_id is not null;
