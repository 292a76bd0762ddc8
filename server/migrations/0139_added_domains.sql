-- A domain that a connected app added: its links and addresses count as the business's own once a
-- person has added it too. Domains of before stay as they are.
alter table domains add column awaits_person boolean not null default false;
