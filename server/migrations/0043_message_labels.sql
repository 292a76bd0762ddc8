-- What whoever sent a message calls it: {"tags": [...], "metadata": {...}}. Null for none. It comes
-- back in every event of the message.
alter table messages add column labels jsonb;
