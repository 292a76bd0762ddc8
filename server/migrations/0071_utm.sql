-- UTM parameters for the links of campaigns. Of a business: the default; null for none. Of a
-- campaign: its own, {} for none; null follows the business until the audience is frozen.
alter table businesses add column utm jsonb;
alter table campaigns add column utm jsonb;
