-- The language of the template that the call asked for; null where the contact's decides.
alter table message_contents add column language text;
