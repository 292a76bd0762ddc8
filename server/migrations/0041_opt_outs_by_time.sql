-- Every "no" is kept outside the database as well, and found by its time for that.
create index suppressions_by_age on suppressions (created_at);
create index consent_events_no on consent_events (created_at) where action = 'unsubscribed';
create index stopped_numbers_by_age on stopped_numbers (created_at);
