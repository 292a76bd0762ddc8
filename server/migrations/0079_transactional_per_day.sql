-- To how many people a connection may send transactional messages in 24 hours, in each business. Null is no limit:
-- that of the connections and keys that exist, whose programs work today. A new connection gets 100 and a new key
-- 1,000 unless a person chooses another number; a code keeps the number that was chosen with it.
alter table connections add column transactional_per_day integer;
alter table authorization_codes add column transactional_per_day integer;
-- Recipients of transactional messages by half hour since 1970, as `counted` has those of all messages.
alter table key_recipients add column transactional json not null default '{}';
