-- The page on which a business says how it uses personal data; forms and preference pages link to it.
alter table businesses add column privacy_url text;
