-- The claims of a job whose workers never settled it, oldest first: `[{lease, at}]`. A worker may
-- die between its claim and its first note of what the claim before had left open, so one alone
-- would be forgotten.
alter table jobs add column lost jsonb;
