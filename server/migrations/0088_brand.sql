-- How a business looks: {logo, colours, font, radius, header, footer, social, tone, locked}. Its accent
-- colour stays in `colour`.
alter table businesses add column brand jsonb not null default '{}';
