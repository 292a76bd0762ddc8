-- As for contact_activity, one large table a file.
alter table campaign_recipients set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
