-- People act by themselves too, signed in to the app: a webhook has the right of the
-- connection, or of the person in the app, who said last what goes where.
alter table webhooks rename column connection_id to holder_id;
