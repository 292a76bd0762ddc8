-- The company account that the provider refused: a sign-in with another one lifts no hold. Holds of before
-- have none.
alter table memberships add column held_subject text;
