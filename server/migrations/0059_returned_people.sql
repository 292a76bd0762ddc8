-- An erasure is a no to everything. Who came back agreed to what they chose then; what an old list says
-- of them from before is still a no.
alter table contacts add column returned_at timestamptz;
