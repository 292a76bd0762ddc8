-- Whether a connection sees addresses and numbers of people masked at the tool endpoint, and whether it may take data
-- out of Crier: exports, webhooks to new hosts, removing a domain. API keys and the connections that exist see and do
-- what they did; what a person chooses for a new connection is kept with its code until the exchange.
alter table connections
  add column sees_masked boolean not null default false,
  add column takes_data_out boolean not null default true;
alter table authorization_codes
  add column sees_masked boolean not null default true,
  add column takes_data_out boolean not null default false;
