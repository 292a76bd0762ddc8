-- Which blocks with a filter the message shows, as bits in the order of its template's filters; null
-- for none of them. Decided once, so that retries and the view in a browser show the same.
alter table messages add column shown_blocks smallint;
