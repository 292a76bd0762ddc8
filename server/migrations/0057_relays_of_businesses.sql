-- The relays that the operator gave a business, by name; null for the operator's default.
alter table businesses add column relay_transactional text, add column relay_marketing text;
