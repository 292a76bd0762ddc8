-- The key of the mail in the gallery that a template was made of. It stays with every version, since
-- it says what the template may be sent as.
alter table templates add column gallery text;
