-- Which events of those types a webhook gets, by their data: {"tags": [...], "template": "<uuid>"}. Null: all.
alter table webhooks add column filter jsonb;
