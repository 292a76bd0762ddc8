-- A domain that a connected app added: its links and addresses count as the business's own once a
-- person has added it too.
alter table domains add column awaits_person boolean not null default false;
update domains d set awaits_person = true
where d.status = 'pending' and exists (
  select from audit_entries a
  join connections c on c.id = a.connection_id and c.client_id is not null
  where a.business_id = d.business_id and a.action = 'domain.add' and a.subject = d.name
    and a.created_at >= d.created_at
);
