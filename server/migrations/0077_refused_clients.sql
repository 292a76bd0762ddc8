-- The operator can refuse an app: by a redirect URI, whoever allows that, or by its client id.
alter table allowed_redirects add column disabled_at timestamptz;
alter table oauth_clients add column removed_at timestamptz;
