-- Visits of a message in a minute are counted before more are kept, and read by time when
-- they are judged: an attacker may have filled a day of them.
create index link_visits_by_message on link_visits (business_id, message_id, visited_at);
