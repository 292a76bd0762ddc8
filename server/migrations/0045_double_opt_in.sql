-- Whether email consent given through the form waits until the person confirms it by mail. Forms
-- that exist keep what they do; new ones are made with true.
alter table forms add column double_opt_in boolean not null default false;

-- Evidence that the confirmed consent takes along: the form's page and version. The mail speaks
-- the language that the person read.
alter table confirmations add column page text;
alter table confirmations add column form_version integer;
alter table confirmations add column language text;
