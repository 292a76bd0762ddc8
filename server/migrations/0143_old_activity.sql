-- outside of a transaction
-- What retention deletes, the oldest first. Without it each batch reads the whole timeline of a business.
create index concurrently if not exists contact_activity_old on contact_activity (business_id, created_at) where type <> 'contact.note';
