-- To whom an OAuth connection sent the same transactional message within a day: [message, person, half hour] each, where
-- the message and the person are hashes.
alter table key_recipients add column same_message json not null default '[]';
-- When a person said that mail of the template is transactional however many people get it.
alter table templates add column transactional_at timestamptz;
