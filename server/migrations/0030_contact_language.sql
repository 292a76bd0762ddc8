-- The language that a person reads: a tag as of BCP 47 (RFC 5646), in its canonical form.
alter table contacts add column language text;
