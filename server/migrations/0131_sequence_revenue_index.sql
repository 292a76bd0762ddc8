-- outside of a transaction
-- What the orders of a sequence's people add up to is read from its own orders alone.
create index concurrently if not exists own_events_by_sequence on own_events (business_id, sequence_id) where sequence_id is not null;
