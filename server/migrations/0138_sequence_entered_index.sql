-- outside of a transaction
-- For how many people entered within a day, whoever is inside.
create index concurrently if not exists sequence_entries_entered on sequence_entries (business_id, sequence_id, entered_at);
