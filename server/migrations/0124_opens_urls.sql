-- Whether the client of the connection opens addresses for its person (MCP 2025-11-25, URL elicitation),
-- as it last said when it began.
alter table connections add column opens_urls boolean not null default false;
