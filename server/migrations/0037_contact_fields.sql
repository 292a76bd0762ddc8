-- The field catalogue: which attributes and tags a business's contacts have, counted in the
-- transactions that change contacts.
create table contact_fields (
  business_id uuid not null,
  -- The key of the attribute.
  key text collate "C" not null,
  -- Contacts whose value is of this type; a date is a text that holds a day or a moment.
  texts bigint not null,
  numbers bigint not null,
  booleans bigint not null,
  dates bigint not null,
  primary key (business_id, key)
) with (fillfactor = 70);

create table contact_tags (
  business_id uuid not null,
  tag text collate "C" not null,
  contacts bigint not null,
  primary key (business_id, tag)
) with (fillfactor = 70);

create temporary view given as
select business_id, key,
  case
    when jsonb_typeof(value) = 'string' and value #>> '{}' ~ (
      '^(1[89]|2[0-9])[0-9]{2}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])'
      '|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|[12][0-9]))'
      '([Tt]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]{1,9})?)?'
      '([Zz]|[+-]([01][0-9]|2[0-3]):[0-5][0-9]))?$'
    ) and (substr(value #>> '{}', 6, 5) <> '02-29' or substr(value #>> '{}', 1, 4)::int % 400 = 0
      or (substr(value #>> '{}', 1, 4)::int % 4 = 0 and substr(value #>> '{}', 1, 4)::int % 100 <> 0))
    and substr(value #>> '{}', 6, 5) <> '02-30' then 'date'
    else jsonb_typeof(value)
  end as type
from contacts, jsonb_each(attributes) as attribute (key, value);

insert into contact_fields (business_id, key, texts, numbers, booleans, dates)
select business_id, key, count(*) filter (where type = 'string'),
  count(*) filter (where type = 'number'), count(*) filter (where type = 'boolean'),
  count(*) filter (where type = 'date')
from given group by business_id, key;

drop view given;

insert into contact_tags (business_id, tag, contacts)
select business_id, tag, count(*) from contacts, unnest(tags) as tag group by business_id, tag;
