-- A vacuum when a twentieth is dead or new, as messages have it, and not when a fifth is: what retention frees at night is used again sooner.
alter table contact_activity set (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_insert_scale_factor = 0.05);
