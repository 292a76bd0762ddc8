-- A deleted template is in no list and cannot be sent. Its versions stay for what was queued with
-- them, and for the automations that run with them.
alter table templates add column deleted_at timestamp with time zone;
