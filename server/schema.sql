-- The schema after every migration, printed by `npm run generate`. Change it by a migration.

create table access_changes (
  "position" bigint not null,
  subject uuid not null,
  changed_at timestamp with time zone not null,
  constraint access_changes_pkey PRIMARY KEY ("position", subject)
);

create table access_head (
  single boolean not null,
  "position" bigint not null,
  constraint access_head_pkey PRIMARY KEY (single),
  constraint access_head_single_check CHECK (single)
);

create table address_changes (
  id uuid not null,
  user_id uuid not null,
  old_email text not null,
  new_email text not null,
  asked_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  old_confirmed_at timestamp with time zone,
  new_confirmed_at timestamp with time zone,
  done_at timestamp with time zone,
  undone_at timestamp with time zone,
  constraint address_changes_pkey PRIMARY KEY (id),
  constraint address_changes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX address_changes_by_expiry ON public.address_changes USING btree (expires_at);
CREATE INDEX address_changes_by_user ON public.address_changes USING btree (user_id, asked_at);

create table allowed_redirects (
  uri text not null,
  created_at timestamp with time zone not null,
  disabled_at timestamp with time zone,
  constraint allowed_redirects_pkey PRIMARY KEY (uri)
);

create table answered_challenges (
  hash bytea not null,
  expires_at timestamp with time zone not null,
  constraint answered_challenges_pkey PRIMARY KEY (hash)
);
CREATE INDEX answered_challenges_by_expiry ON public.answered_challenges USING btree (expires_at);

create table api_keys (
  business_id uuid not null,
  id uuid not null,
  hash bytea not null,
  name text not null,
  made_by uuid not null,
  networks text[] not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint api_keys_pkey PRIMARY KEY (business_id, id),
  constraint api_keys_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id),
  constraint api_keys_id_fkey FOREIGN KEY (id) REFERENCES connections(id),
  constraint api_keys_made_by_fkey FOREIGN KEY (made_by) REFERENCES users(id)
);
CREATE INDEX api_keys_by_expiry ON public.api_keys USING btree (expires_at) WHERE (expires_at IS NOT NULL);
CREATE INDEX api_keys_by_hash ON public.api_keys USING btree (hash);

create table attempt_windows (
  key bytea not null,
  times timestamp with time zone[] not null,
  expires_at timestamp with time zone not null,
  constraint attempt_windows_pkey PRIMARY KEY (key)
);
CREATE INDEX attempt_windows_by_expiry ON public.attempt_windows USING btree (expires_at);

create table audit_entries (
  business_id uuid not null,
  id uuid not null,
  action text not null,
  subject text,
  details jsonb not null,
  user_id uuid,
  connection_id uuid,
  call_id uuid,
  created_at timestamp with time zone not null,
  constraint audit_entries_pkey PRIMARY KEY (business_id, created_at, id)
) partition by RANGE (created_at);
CREATE INDEX audit_entries_by_action ON ONLY public.audit_entries USING btree (business_id, action, created_at);
CREATE INDEX audit_entries_by_connection ON ONLY public.audit_entries USING btree (business_id, connection_id, created_at) WHERE (connection_id IS NOT NULL);
CREATE INDEX audit_entries_by_user ON ONLY public.audit_entries USING btree (business_id, user_id, created_at);

create table audit_entries_default partition of audit_entries DEFAULT;
CREATE INDEX audit_entries_default_business_id_action_created_at_idx ON public.audit_entries_default USING btree (business_id, action, created_at);
CREATE INDEX audit_entries_default_business_id_connection_id_created_at_idx ON public.audit_entries_default USING btree (business_id, connection_id, created_at) WHERE (connection_id IS NOT NULL);
CREATE INDEX audit_entries_default_business_id_user_id_created_at_idx ON public.audit_entries_default USING btree (business_id, user_id, created_at);

create table authenticator_apps (
  user_id uuid not null,
  secret bytea,
  new_secret bytea,
  new_secret_at timestamp with time zone,
  added_at timestamp with time zone,
  last_step bigint default 0 not null,
  last_used_at timestamp with time zone,
  constraint authenticator_apps_pkey PRIMARY KEY (user_id),
  constraint authenticator_apps_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table authorization_codes (
  hash bytea not null,
  connection_id uuid not null,
  user_id uuid not null,
  client_id text not null,
  redirect_uri text not null,
  code_challenge text not null,
  scopes text[] not null,
  business_ids uuid[] not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  transactional_per_day integer,
  sees_masked boolean default true not null,
  takes_data_out boolean default false not null,
  constraint authorization_codes_pkey PRIMARY KEY (hash)
);
CREATE INDEX authorization_codes_by_expiry ON public.authorization_codes USING btree (expires_at);

create table backfills (
  name text not null,
  table_name text not null,
  rows_expected bigint not null,
  rows_done bigint not null,
  rows_changed bigint not null,
  last_key jsonb,
  started_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  constraint backfills_pkey PRIMARY KEY (name)
);

create table bounce_reviews (
  business_id uuid not null,
  address_hmac bytea not null,
  suppressed_at timestamp with time zone not null,
  outcome text,
  reviewed_at timestamp with time zone,
  constraint bounce_reviews_pkey PRIMARY KEY (business_id, address_hmac),
  constraint bounce_reviews_outcome_check CHECK ((outcome = ANY (ARRAY['lifted'::text, 'not_judgeable'::text])))
);
CREATE INDEX bounce_reviews_lifted ON public.bounce_reviews USING btree (reviewed_at) WHERE (outcome = 'lifted'::text);
CREATE INDEX bounce_reviews_waiting ON public.bounce_reviews USING btree (business_id) WHERE (outcome IS NULL);

create table business_closings (
  id uuid not null,
  name text not null,
  language text not null,
  closed_at timestamp with time zone not null,
  closed_by uuid,
  owners uuid[] not null,
  keeps_suppressions boolean not null,
  delete_at timestamp with time zone not null,
  reopened_at timestamp with time zone,
  deletion_began_at timestamp with time zone,
  "position" jsonb,
  deleted jsonb default '{}'::jsonb not null,
  deleted_at timestamp with time zone,
  removed_at timestamp with time zone,
  constraint business_closings_pkey PRIMARY KEY (id)
);

create table businesses (
  id uuid not null,
  name text not null,
  tier text not null,
  time_zone text default 'UTC'::text not null,
  language text default 'en'::text not null,
  postal_address text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  track_opens boolean default true not null,
  track_clicks boolean default true not null,
  sender text,
  sms_sender text,
  sms_help text,
  deploy_limit integer default 1000,
  two_people boolean default false not null,
  reply_to text,
  colour text,
  retention jsonb default '{}'::jsonb not null,
  tracking text default 'everyone'::text not null,
  attribution_days smallint default 5 not null,
  relay_transactional text,
  relay_marketing text,
  settings_version integer default 1 not null,
  utm jsonb,
  archive jsonb default '{}'::jsonb not null,
  archive_changed_at timestamp with time zone,
  track_transactional boolean default false not null,
  brand jsonb default '{}'::jsonb not null,
  searchable_to uuid,
  privacy_url text,
  test_of uuid,
  attention json,
  closed_at timestamp with time zone,
  factor_required_from timestamp with time zone,
  asks_fresh_factor boolean default false not null,
  constraint businesses_pkey PRIMARY KEY (id),
  constraint businesses_test_of_fkey FOREIGN KEY (test_of) REFERENCES businesses(id),
  constraint businesses_attribution_days_check CHECK (((attribution_days >= 1) AND (attribution_days <= 90))),
  constraint businesses_tier_check CHECK ((tier = ANY (ARRAY['free'::text, 'growth'::text, 'scale'::text]))),
  constraint businesses_tracking_check CHECK ((tracking = ANY (ARRAY['everyone'::text, 'agreed'::text, 'nobody'::text])))
);
CREATE UNIQUE INDEX businesses_by_live ON public.businesses USING btree (test_of) WHERE (test_of IS NOT NULL);
CREATE INDEX businesses_by_sms_sender ON public.businesses USING btree (sms_sender) WHERE (sms_sender IS NOT NULL);
CREATE INDEX businesses_to_search ON public.businesses USING btree (id) WHERE (searchable_to IS NOT NULL);
CREATE INDEX businesses_with_retention ON public.businesses USING btree (id) WHERE (retention <> '{}'::jsonb);

create unlogged table call_traces (
  call_id uuid not null,
  traceparent text not null,
  created_at timestamp with time zone not null,
  constraint call_traces_pkey PRIMARY KEY (call_id)
);
CREATE INDEX call_traces_by_age ON public.call_traces USING btree (created_at);

create table campaign_counts (
  business_id uuid not null,
  campaign_id uuid not null,
  variant smallint not null,
  metric text not null,
  amount bigint not null,
  slot smallint default 0 not null,
  constraint campaign_counts_pkey PRIMARY KEY (business_id, campaign_id, slot, variant, metric)
);

create table campaign_link_people (
  business_id uuid not null,
  campaign_id uuid not null,
  url_hash bytea not null,
  contact_id uuid not null,
  machine boolean not null,
  constraint campaign_link_people_pkey PRIMARY KEY (business_id, campaign_id, url_hash, contact_id, machine)
);

create table campaign_links (
  business_id uuid not null,
  campaign_id uuid not null,
  url_hash bytea not null,
  url text not null,
  people integer default 0 not null,
  machines integer default 0 not null,
  constraint campaign_links_pkey PRIMARY KEY (business_id, campaign_id, url_hash)
);

create table campaign_past_revenue (
  business_id uuid not null,
  campaign_id uuid not null,
  currency text not null,
  orders bigint not null,
  refunds bigint not null,
  value numeric not null,
  constraint campaign_past_revenue_pkey PRIMARY KEY (business_id, campaign_id, currency)
);

create table campaign_provider_counts (
  business_id uuid not null,
  campaign_id uuid not null,
  provider text not null,
  slot smallint not null,
  sent bigint not null,
  delivered bigint not null,
  deferred bigint not null,
  refused bigint not null,
  refused_by_policy bigint not null,
  bounced bigint not null,
  complained bigint not null,
  constraint campaign_provider_counts_pkey PRIMARY KEY (business_id, campaign_id, provider, slot)
);

create table campaign_provider_words (
  business_id uuid not null,
  campaign_id uuid not null,
  provider text not null,
  words text not null,
  amount bigint not null,
  constraint campaign_provider_words_pkey PRIMARY KEY (business_id, campaign_id, provider, words)
);

create table campaign_recipients (
  business_id uuid not null,
  campaign_id uuid not null,
  contact_id uuid not null,
  state text not null,
  reason text,
  clause text,
  variant smallint,
  message_id uuid,
  due_at timestamp with time zone,
  updated_at timestamp with time zone not null,
  marks smallint default 0 not null,
  in_doubt boolean generated always as (
CASE
    WHEN (state = 'unknown'::text) THEN true
    ELSE NULL::boolean
END) stored,
  constraint campaign_recipients_pkey PRIMARY KEY (business_id, campaign_id, contact_id),
  constraint campaign_recipients_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'taken'::text, 'sent'::text, 'delivered'::text, 'bounced'::text, 'failed'::text, 'unknown'::text, 'skipped'::text, 'cancelled'::text])))
);
CREATE INDEX campaign_recipients_timed ON public.campaign_recipients USING btree (business_id, campaign_id, due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX campaign_recipients_unknown ON public.campaign_recipients USING btree (business_id, campaign_id, contact_id) WHERE in_doubt;

create table campaign_runs (
  business_id uuid not null,
  campaign_id uuid not null,
  freeze_end uuid not null,
  frozen_to uuid,
  quota_left bigint,
  recipients integer not null,
  taken_to uuid,
  taken integer not null,
  ended_to uuid,
  canary integer not null,
  canary_until timestamp with time zone,
  tokens double precision not null,
  paced_at timestamp with time zone not null,
  brake_from json not null,
  updated_at timestamp with time zone not null,
  asked_at timestamp with time zone,
  constraint campaign_runs_pkey PRIMARY KEY (business_id, campaign_id)
);

create table campaign_series (
  business_id uuid not null,
  campaign_id uuid not null,
  at timestamp with time zone not null,
  metric text not null,
  slot smallint not null,
  amount bigint not null,
  constraint campaign_series_pkey PRIMARY KEY (business_id, campaign_id, at, metric, slot)
);

create table campaign_tests (
  business_id uuid not null,
  campaign_id uuid not null,
  sample smallint not null,
  decided_by text not null,
  after_minutes integer not null,
  winner smallint,
  by_hand boolean not null,
  decided_at timestamp with time zone,
  released_at timestamp with time zone,
  is_beyond_chance boolean,
  evidence jsonb,
  constraint campaign_tests_pkey PRIMARY KEY (business_id, campaign_id),
  constraint campaign_tests_decided_by_check CHECK ((decided_by = ANY (ARRAY['clicks'::text, 'opens'::text])))
);

create table campaign_variants (
  business_id uuid not null,
  campaign_id uuid not null,
  "position" smallint not null,
  template_id uuid not null,
  template_version_id uuid not null,
  share smallint not null,
  subject text,
  constraint campaign_variants_pkey PRIMARY KEY (business_id, campaign_id, "position")
);

create table campaigns (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  channel text not null,
  state text not null,
  audience json not null,
  version integer not null,
  written_by text not null,
  send_at timestamp with time zone,
  send_local text,
  zone_mode text not null,
  throttle_per_minute integer,
  plan json,
  plan_hash text,
  recipients integer,
  pause_reason text,
  connection_id uuid,
  call_id uuid,
  approval text,
  decided_by uuid,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deployed_at timestamp with time zone,
  frozen_at timestamp with time zone,
  completed_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  unapproved integer default 0 not null,
  ordered_by uuid,
  refusal_reason text,
  audience_wish text,
  topic text,
  utm jsonb,
  in_archive boolean default false not null,
  leaves_machine boolean,
  delivery_reported boolean,
  complaints_reported boolean,
  approved_recipients integer,
  from_template uuid,
  recipients_deleted_at timestamp with time zone,
  feed_id uuid,
  approval_reason text,
  constraint campaigns_pkey PRIMARY KEY (business_id, id),
  constraint campaigns_approval_check CHECK ((approval = ANY (ARRAY['asked'::text, 'approved'::text, 'refused'::text]))),
  constraint campaigns_approval_reason_check CHECK ((approval_reason = 'changed_by_app'::text)),
  constraint campaigns_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  constraint campaigns_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'scheduled'::text, 'awaiting_approval'::text, 'deployed'::text, 'paused'::text, 'completed'::text, 'cancelled'::text]))),
  constraint campaigns_written_by_check CHECK ((written_by = ANY (ARRAY['caller'::text, 'model'::text, 'built_in'::text]))),
  constraint campaigns_zone_mode_check CHECK ((zone_mode = ANY (ARRAY['business'::text, 'recipient'::text])))
);
CREATE INDEX campaigns_by_state ON public.campaigns USING btree (business_id, state, id);
CREATE INDEX campaigns_from_template ON public.campaigns USING btree (business_id, from_template, id) WHERE (from_template IS NOT NULL);
CREATE INDEX campaigns_in_archive ON public.campaigns USING btree (business_id, deployed_at DESC, id DESC) WHERE (in_archive AND (state = 'completed'::text));
CREATE INDEX campaigns_open ON public.campaigns USING btree (state) WHERE (state = ANY (ARRAY['scheduled'::text, 'awaiting_approval'::text, 'deployed'::text, 'paused'::text]));

create table confirmations (
  business_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  address text not null,
  topics text[],
  source text not null,
  text text,
  ip inet,
  agent text,
  made_contact boolean not null,
  connection_id uuid,
  call_id uuid,
  asked_at timestamp with time zone not null,
  created_at timestamp with time zone not null,
  mailed_at timestamp with time zone,
  reminded_at timestamp with time zone,
  confirmed_at timestamp with time zone,
  confirmed_ip inet,
  confirmed_agent text,
  ended_at timestamp with time zone,
  page text,
  form_version integer,
  language text,
  is_return boolean default false not null,
  form_id uuid,
  unproven boolean default false not null,
  held_at timestamp with time zone,
  released_at timestamp with time zone,
  box text,
  left_at timestamp with time zone,
  constraint confirmations_pkey PRIMARY KEY (business_id, id),
  constraint confirmations_box_check CHECK ((box = ANY (ARRAY['ticked'::text, 'sent'::text])))
);
CREATE INDEX confirmations_by_form ON public.confirmations USING btree (business_id, form_id, created_at) WHERE (form_id IS NOT NULL);
CREATE UNIQUE INDEX confirmations_open ON public.confirmations USING btree (business_id, contact_id) WHERE ((confirmed_at IS NULL) AND (ended_at IS NULL));
CREATE UNIQUE INDEX confirmations_open_return ON public.confirmations USING btree (business_id, address) WHERE (is_return AND (confirmed_at IS NULL) AND (ended_at IS NULL));
CREATE INDEX confirmations_traced ON public.confirmations USING btree (business_id, id) WHERE ((ip IS NOT NULL) OR (agent IS NOT NULL) OR (confirmed_ip IS NOT NULL) OR (confirmed_agent IS NOT NULL));

create table connection_calls (
  connection_id uuid not null,
  calls jsonb not null,
  called_at timestamp with time zone not null,
  constraint connection_calls_pkey PRIMARY KEY (connection_id),
  constraint connection_calls_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE
);
CREATE INDEX connection_calls_by_time ON public.connection_calls USING btree (called_at);

create table connection_consents (
  business_id uuid not null,
  connection_id uuid not null,
  day date not null,
  people integer not null,
  constraint connection_consents_pkey PRIMARY KEY (business_id, connection_id),
  constraint connection_consents_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE
);

create table connections (
  id uuid not null,
  user_id uuid not null,
  client_id text,
  redirect_uri text,
  scopes text[] not null,
  business_ids uuid[] not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  revoked_at timestamp with time zone,
  revoked_by text,
  late_reuses integer default 0 not null,
  last_late_reuse_at timestamp with time zone,
  code_reuses integer default 0 not null,
  last_code_reuse_at timestamp with time zone,
  role text,
  recipients_per_day integer,
  withheld_scopes text[] default '{}'::text[] not null,
  transactional_per_day integer,
  sees_masked boolean default false not null,
  takes_data_out boolean default true not null,
  is_test boolean default false not null,
  opens_urls boolean default false not null,
  constraint connections_pkey PRIMARY KEY (id),
  constraint connections_client_id_fkey FOREIGN KEY (client_id) REFERENCES oauth_clients(id),
  constraint connections_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint connections_are_of_a_client_or_a_key CHECK ((((client_id IS NULL) = (redirect_uri IS NULL)) AND ((client_id IS NULL) = (role IS NOT NULL)) AND ((client_id IS NOT NULL) OR (recipients_per_day IS NOT NULL)))),
  constraint connections_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'approver'::text, 'viewer'::text])))
);
CREATE INDEX connections_by_client ON public.connections USING btree (client_id);
CREATE INDEX connections_by_user ON public.connections USING btree (user_id, created_at DESC);

create table consent_events (
  business_id uuid not null,
  contact_id uuid not null,
  id uuid not null,
  channel text not null,
  action text not null,
  source text not null,
  text text,
  ip inet,
  agent text,
  connection_id uuid,
  call_id uuid,
  created_at timestamp with time zone not null,
  topic text,
  confirmation_id uuid,
  basis text,
  said_at timestamp with time zone,
  page text,
  form_version integer,
  box text,
  constraint consent_events_pkey PRIMARY KEY (business_id, contact_id, id),
  constraint consent_events_action_check CHECK ((action = ANY (ARRAY['none'::text, 'pending'::text, 'subscribed'::text, 'unsubscribed'::text]))),
  constraint consent_events_basis_check CHECK ((basis = ANY (ARRAY['consent'::text, 'existing_customer'::text]))),
  constraint consent_events_box_check CHECK ((box = ANY (ARRAY['ticked'::text, 'sent'::text]))),
  constraint consent_events_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text, 'tracking'::text])))
);
CREATE INDEX consent_events_no ON public.consent_events USING btree (created_at) WHERE (action = 'unsubscribed'::text);
CREATE INDEX consent_events_traced ON public.consent_events USING btree (business_id, id) WHERE ((ip IS NOT NULL) OR (agent IS NOT NULL));

create table contact_activity (
  business_id uuid not null,
  contact_id uuid not null,
  id uuid not null,
  type text not null,
  details json not null,
  connection_id uuid,
  call_id uuid,
  created_at timestamp with time zone not null,
  message_id uuid,
  campaign_id uuid,
  channel text,
  form_id uuid,
  link_hash bytea,
  machine boolean,
  constraint contact_activity_pkey PRIMARY KEY (business_id, contact_id, id)
);
CREATE INDEX contact_activity_by_campaign ON public.contact_activity USING btree (business_id, campaign_id, type, contact_id) INCLUDE (machine) WHERE (campaign_id IS NOT NULL);
CREATE INDEX contact_activity_by_type ON public.contact_activity USING btree (business_id, type, created_at, contact_id) INCLUDE (machine) WHERE (type = ANY (ARRAY['message.opened'::text, 'message.clicked'::text, 'message.bounced'::text, 'text.received'::text, 'form.submitted'::text]));
CREATE INDEX contact_activity_old ON public.contact_activity USING btree (business_id, created_at) WHERE (type <> 'contact.note'::text);

create table contact_attention (
  business_id uuid not null,
  contact_id uuid not null,
  max smallint,
  per_days smallint,
  paused_until timestamp with time zone,
  updated_at timestamp with time zone not null,
  digest_only boolean default false not null,
  constraint contact_attention_pkey PRIMARY KEY (business_id, contact_id)
);

create table contact_fields (
  business_id uuid not null,
  key text not null,
  texts bigint not null,
  numbers bigint not null,
  booleans bigint not null,
  dates bigint not null,
  constraint contact_fields_pkey PRIMARY KEY (business_id, key)
);

create table contact_past (
  business_id uuid not null,
  contact_id uuid not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  sent integer default 0 not null,
  opened integer default 0 not null,
  clicked integer default 0 not null,
  own_events integer default 0 not null,
  constraint contact_past_pkey PRIMARY KEY (business_id, contact_id)
);

create table contact_search (
  business_id uuid not null,
  contact_id uuid not null,
  words text not null,
  constraint contact_search_pkey PRIMARY KEY (business_id, contact_id)
);
CREATE INDEX contact_search_by_words ON public.contact_search USING gin (business_id, words gin_trgm_ops);

create table contact_tags (
  business_id uuid not null,
  tag text not null,
  contacts bigint not null,
  constraint contact_tags_pkey PRIMARY KEY (business_id, tag)
);

create table contacts (
  business_id uuid not null,
  id uuid not null,
  email text,
  phone text,
  name text,
  attributes jsonb not null,
  tags text[] not null,
  email_consent text not null,
  sms_consent text not null,
  source text not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  email_mark bytea,
  phone_mark bytea,
  language text,
  topics jsonb default '{}'::jsonb not null,
  tracking_consent text default 'none'::text not null,
  returned_at timestamp with time zone,
  first_name text,
  last_name text,
  external_id text,
  constraint contacts_pkey PRIMARY KEY (business_id, id),
  constraint contacts_business_id_email_key UNIQUE (business_id, email),
  constraint contacts_business_id_phone_key UNIQUE (business_id, phone),
  constraint contacts_check CHECK (((email IS NOT NULL) OR (phone IS NOT NULL))),
  constraint contacts_email_consent_check CHECK ((email_consent = ANY (ARRAY['none'::text, 'pending'::text, 'subscribed'::text, 'unsubscribed'::text]))),
  constraint contacts_sms_consent_check CHECK ((sms_consent = ANY (ARRAY['none'::text, 'subscribed'::text, 'unsubscribed'::text]))),
  constraint contacts_source_check CHECK ((source = ANY (ARRAY['api'::text, 'import'::text, 'form'::text]))),
  constraint contacts_tracking_consent_check CHECK ((tracking_consent = ANY (ARRAY['none'::text, 'subscribed'::text, 'unsubscribed'::text])))
);
CREATE INDEX contacts_by_email_mark ON public.contacts USING btree (business_id, email_mark) WHERE (email_mark IS NOT NULL);
CREATE UNIQUE INDEX contacts_by_external_id ON public.contacts USING btree (business_id, external_id) WHERE (external_id IS NOT NULL);
CREATE INDEX contacts_by_first_name ON public.contacts USING btree (business_id, lower(first_name) COLLATE "C") WHERE (first_name IS NOT NULL);
CREATE INDEX contacts_by_last_name ON public.contacts USING btree (business_id, lower(last_name) COLLATE "C") WHERE (last_name IS NOT NULL);
CREATE INDEX contacts_by_name ON public.contacts USING btree (business_id, lower(name) COLLATE "C");
CREATE INDEX contacts_by_phone_mark ON public.contacts USING btree (business_id, phone_mark) WHERE (phone_mark IS NOT NULL);
CREATE INDEX contacts_to_mark ON public.contacts USING btree (business_id, id) WHERE (((email IS NOT NULL) AND (email_mark IS NULL)) OR ((phone IS NOT NULL) AND (phone_mark IS NULL)));

create table dead_letters (
  business_id uuid not null,
  webhook_id uuid not null,
  id uuid not null,
  event_id uuid not null,
  event_type text not null,
  event_at timestamp with time zone not null,
  attempts smallint not null,
  status smallint,
  failure text not null,
  failed_at timestamp with time zone not null,
  constraint dead_letters_pkey PRIMARY KEY (business_id, webhook_id, event_id, failed_at)
) partition by RANGE (failed_at);
CREATE INDEX dead_letters_by_age ON ONLY public.dead_letters USING btree (business_id, webhook_id, id DESC);

create table dead_letters_default partition of dead_letters DEFAULT;
CREATE INDEX dead_letters_default_business_id_webhook_id_id_idx ON public.dead_letters_default USING btree (business_id, webhook_id, id DESC);

create table delivery_reports (
  business_id uuid not null,
  identity bytea not null,
  created_at timestamp with time zone not null,
  constraint delivery_reports_pkey PRIMARY KEY (business_id, identity)
);
CREATE INDEX delivery_reports_by_age ON public.delivery_reports USING btree (created_at);

create table domain_claims (
  name text not null,
  domain_id uuid not null,
  degraded boolean not null,
  claimed_at timestamp with time zone not null,
  constraint domain_claims_pkey PRIMARY KEY (name)
);

create table domain_keys (
  business_id uuid not null,
  domain_id uuid not null,
  slot smallint not null,
  state text not null,
  rsa_public text not null,
  rsa_private bytea,
  ed25519_public text,
  ed25519_private bytea,
  seen_at timestamp with time zone,
  ttl_seconds integer not null,
  leaves_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint domain_keys_pkey PRIMARY KEY (business_id, domain_id, slot),
  constraint domain_keys_slot_check CHECK ((slot = ANY (ARRAY[1, 2]))),
  constraint domain_keys_state_check CHECK ((state = ANY (ARRAY['active'::text, 'coming'::text, 'leaving'::text, 'revoked'::text])))
);

create table domains (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  registrable text not null,
  status text not null,
  passes integer not null,
  passed_at timestamp with time zone,
  misses integer not null,
  missing_since timestamp with time zone,
  held_elsewhere boolean not null,
  verified_at timestamp with time zone,
  checked_at timestamp with time zone,
  next_check_at timestamp with time zone not null,
  report json not null,
  revision integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  volume_stated integer,
  volume_note text,
  volume_stated_at timestamp with time zone,
  volume_approved integer,
  volume_answer text,
  volume_decided_at timestamp with time zone,
  awaits_person boolean default false not null,
  constraint domains_pkey PRIMARY KEY (business_id, id),
  constraint domains_business_id_name_key UNIQUE (business_id, name),
  constraint domains_status_check CHECK ((status = ANY (ARRAY['pending'::text, 'verified'::text, 'degraded'::text])))
);
CREATE INDEX domains_by_waiting_volume ON public.domains USING btree (business_id, volume_stated_at) WHERE ((volume_stated_at IS NOT NULL) AND (volume_decided_at IS NULL));

create table event_feed (
  business_id uuid not null,
  "position" bigint not null,
  placed_at timestamp with time zone not null,
  event_id uuid not null,
  type text not null,
  created_at timestamp with time zone not null,
  constraint event_feed_pkey PRIMARY KEY (business_id, "position", placed_at)
) partition by RANGE (placed_at);

create table event_feed_default partition of event_feed DEFAULT;

create table event_heads (
  business_id uuid not null,
  "position" bigint not null,
  placed_at timestamp with time zone not null,
  constraint event_heads_pkey PRIMARY KEY (business_id)
);

create table events (
  business_id uuid not null,
  id uuid not null,
  type text not null,
  body text not null,
  connection_id uuid,
  call_id uuid,
  created_at timestamp with time zone not null,
  erased_at timestamp with time zone,
  constraint events_pkey PRIMARY KEY (business_id, created_at, id)
) partition by RANGE (created_at);

create table events_default partition of events DEFAULT;

create table factor_resets (
  business_id uuid not null,
  user_id uuid not null,
  asked_by uuid not null,
  asked_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  constraint factor_resets_pkey PRIMARY KEY (business_id, user_id),
  constraint factor_resets_asked_by_fkey FOREIGN KEY (asked_by) REFERENCES users(id),
  constraint factor_resets_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id),
  constraint factor_resets_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX factor_resets_by_due ON public.factor_resets USING btree (due_at);
CREATE INDEX factor_resets_by_user ON public.factor_resets USING btree (user_id);

create table feed_issues (
  business_id uuid not null,
  feed_id uuid not null,
  number integer not null,
  campaign_id uuid not null,
  waits_for text,
  created_at timestamp with time zone not null,
  constraint feed_issues_pkey PRIMARY KEY (business_id, feed_id, number)
);

create table feed_items (
  business_id uuid not null,
  feed_id uuid not null,
  seq integer not null,
  guid_hash bytea not null,
  twin_hash bytea not null,
  issue integer,
  item json,
  seen_at timestamp with time zone not null,
  constraint feed_items_pkey PRIMARY KEY (business_id, feed_id, seq)
);
CREATE UNIQUE INDEX feed_items_by_guid ON public.feed_items USING btree (business_id, feed_id, guid_hash);
CREATE INDEX feed_items_by_twin ON public.feed_items USING btree (business_id, feed_id, twin_hash);

create table feeds (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null,
  definition json not null,
  version integer not null,
  started json,
  pause_reason text,
  wanted json,
  due_at timestamp with time zone,
  issue_at timestamp with time zone,
  begun_at timestamp with time zone,
  checked_at timestamp with time zone,
  outcome text,
  problem text,
  failures integer default 0 not null,
  etag text,
  last_modified text,
  title text,
  last_seq integer default 0 not null,
  issues integer default 0 not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint feeds_pkey PRIMARY KEY (business_id, id),
  constraint feeds_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'awaiting_approval'::text, 'running'::text, 'paused'::text])))
);
CREATE UNIQUE INDEX feeds_by_name ON public.feeds USING btree (business_id, lower(name)) WHERE (deleted_at IS NULL);

create table former_contacts (
  business_id uuid not null,
  id uuid not null,
  became uuid,
  ended_at timestamp with time zone not null,
  constraint former_contacts_pkey PRIMARY KEY (business_id, id)
);
CREATE INDEX former_contacts_by_heir ON public.former_contacts USING btree (business_id, became);

create table forms (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null,
  fields json not null,
  tags text[] not null,
  version integer not null,
  submission_count bigint not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  page json default '{}'::json not null,
  double_opt_in boolean default false not null,
  guarded_since timestamp with time zone,
  guarded_until timestamp with time zone,
  constraint forms_pkey PRIMARY KEY (business_id, id),
  constraint forms_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'published'::text, 'archived'::text])))
);
CREATE INDEX forms_by_id ON public.forms USING btree (id) INCLUDE (business_id);

create table held_removals (
  business_id uuid not null,
  id uuid not null,
  action text not null,
  contact_id uuid,
  other_contact_id uuid,
  domain text,
  connection_id uuid not null,
  user_id uuid not null,
  call_id uuid,
  ordered_at timestamp with time zone not null,
  due_at timestamp with time zone not null,
  outcome text,
  ended_at timestamp with time zone,
  constraint held_removals_pkey PRIMARY KEY (business_id, id),
  constraint held_removals_action_check CHECK ((action = ANY (ARRAY['contact.erase'::text, 'contact.merge'::text, 'domain.remove'::text]))),
  constraint held_removals_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'cancelled'::text, 'gone'::text])))
);
CREATE INDEX held_removals_by_connection ON public.held_removals USING btree (business_id, connection_id, ordered_at);
CREATE UNIQUE INDEX held_removals_waiting ON public.held_removals USING btree (business_id, action, contact_id, other_contact_id, domain) NULLS NOT DISTINCT WHERE (ended_at IS NULL);

create table idempotency_keys (
  business_id uuid not null,
  key text not null,
  body_hash bytea not null,
  answer json,
  created_at timestamp with time zone not null,
  constraint idempotency_keys_pkey PRIMARY KEY (business_id, key)
);
CREATE INDEX idempotency_keys_by_age ON public.idempotency_keys USING btree (created_at);

create table identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  provider_id uuid,
  refresh_token bytea,
  check_at timestamp with time zone,
  asked_at timestamp with time zone,
  refused_at timestamp with time zone,
  constraint identities_pkey PRIMARY KEY (issuer, subject),
  constraint identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX identities_by_user ON public.identities USING btree (user_id);
CREATE INDEX identities_refused ON public.identities USING btree (refused_at) WHERE (refused_at IS NOT NULL);

create table identity_providers (
  business_id uuid not null,
  issuer text not null,
  client_id text not null,
  client_secret bytea,
  name text not null,
  trusts_addresses boolean default false not null,
  roles jsonb default '[]'::jsonb not null,
  default_role text,
  saved_at timestamp with time zone not null,
  is_only boolean default false not null,
  break_glass_passkey uuid,
  refusals_told_at timestamp with time zone,
  provider_since timestamp with time zone,
  constraint identity_providers_pkey PRIMARY KEY (business_id),
  constraint identity_providers_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id),
  constraint identity_providers_break_glass_check CHECK (((NOT is_only) OR (break_glass_passkey IS NOT NULL))),
  constraint identity_providers_default_role_check CHECK ((default_role = ANY (ARRAY['viewer'::text, 'editor'::text, 'approver'::text, 'admin'::text])))
);

create table images (
  business_id uuid not null,
  id uuid not null,
  file text not null,
  kind text not null,
  name text not null,
  alt text,
  width integer not null,
  height integer not null,
  bytes integer not null,
  sha256 bytea not null,
  created_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint images_pkey PRIMARY KEY (business_id, id),
  constraint images_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id)
);
CREATE UNIQUE INDEX images_by_content ON public.images USING btree (business_id, sha256) WHERE (deleted_at IS NULL);

create table import_changes (
  business_id uuid not null,
  import_id uuid not null,
  contact_id uuid not null,
  before jsonb,
  after jsonb,
  changed_at timestamp with time zone not null,
  constraint import_changes_pkey PRIMARY KEY (business_id, import_id, contact_id)
);

create table import_errors (
  business_id uuid not null,
  import_id uuid not null,
  row_number bigint not null,
  raw text,
  code text not null,
  field text not null,
  message text not null,
  constraint import_errors_pkey PRIMARY KEY (business_id, import_id, row_number)
);

create table import_suppressions (
  business_id uuid not null,
  import_id uuid not null,
  mark bytea not null,
  channel text,
  is_new boolean not null,
  before json,
  constraint import_suppressions_pkey PRIMARY KEY (business_id, import_id, mark),
  constraint import_suppressions_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text])))
);
CREATE INDEX import_suppressions_by_mark ON public.import_suppressions USING btree (business_id, mark);

create table imports (
  business_id uuid not null,
  id uuid not null,
  state text not null,
  file_name text not null,
  uploads integer not null,
  bytes bigint,
  sha256 bytea,
  has_file boolean not null,
  text json,
  layout json,
  choices json,
  found json,
  next_byte bigint not null,
  next_row bigint not null,
  counts json not null,
  worked_ms bigint not null,
  fault json,
  user_id uuid,
  connection_id uuid,
  call_id uuid,
  created_at timestamp with time zone not null,
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  kind text default 'contacts'::text not null,
  constraint imports_pkey PRIMARY KEY (business_id, id),
  constraint imports_kind_check CHECK ((kind = ANY (ARRAY['contacts'::text, 'suppressions'::text]))),
  constraint imports_state_check CHECK ((state = ANY (ARRAY['awaiting_file'::text, 'checking'::text, 'ready'::text, 'running'::text, 'paused'::text, 'done'::text, 'failed'::text, 'cancelled'::text, 'undoing'::text, 'undone'::text])))
);

create table inbox_messages (
  id uuid not null,
  recipient text not null,
  sender text not null,
  subject text not null,
  body_text text not null,
  body_html text,
  source bytea not null,
  created_at timestamp with time zone not null,
  message_id uuid,
  constraint inbox_messages_pkey PRIMARY KEY (id)
);
CREATE INDEX inbox_messages_by_recipient ON public.inbox_messages USING btree (recipient, id DESC);

create table inbox_texts (
  id uuid not null,
  phone text not null,
  other text not null,
  is_sent_by_phone boolean not null,
  body text not null,
  segments smallint not null,
  message_id uuid,
  state text not null,
  created_at timestamp with time zone not null,
  constraint inbox_texts_pkey PRIMARY KEY (id),
  constraint inbox_texts_state_check CHECK ((state = ANY (ARRAY['taken'::text, 'delivered'::text, 'failed'::text])))
);
CREATE INDEX inbox_texts_by_phone ON public.inbox_texts USING btree (phone, id DESC);

create table installation (
  key text not null,
  value jsonb not null,
  updated_at timestamp with time zone not null,
  constraint installation_pkey PRIMARY KEY (key)
);

create table invitations (
  business_id uuid not null,
  id uuid not null,
  email text not null,
  role text not null,
  invited_by uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint invitations_pkey PRIMARY KEY (business_id, id),
  constraint invitations_business_id_email_key UNIQUE (business_id, email),
  constraint invitations_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id),
  constraint invitations_invited_by_fkey FOREIGN KEY (invited_by) REFERENCES users(id),
  constraint invitations_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'approver'::text, 'viewer'::text])))
);
CREATE INDEX invitations_by_email ON public.invitations USING btree (email);
CREATE INDEX invitations_by_expiry ON public.invitations USING btree (expires_at);

create table job_workers (
  id uuid not null,
  expires_at timestamp with time zone not null,
  constraint job_workers_pkey PRIMARY KEY (id)
);

create table jobs (
  shard smallint not null,
  id uuid not null,
  lane uuid not null,
  kind text not null,
  payload json not null,
  due_at timestamp with time zone not null,
  attempt integer default 0 not null,
  claims integer default 0 not null,
  lease uuid,
  parked_at timestamp with time zone,
  fault text,
  created_at timestamp with time zone not null,
  claimed_at timestamp with time zone,
  lost jsonb,
  business_id uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  constraint jobs_pkey PRIMARY KEY (shard, id)
);
CREATE INDEX jobs_due ON public.jobs USING btree (shard, lane, due_at) WHERE (parked_at IS NULL);
CREATE INDEX jobs_parked ON public.jobs USING btree (kind, parked_at) WHERE (parked_at IS NOT NULL);

create table key_recipients (
  business_id uuid not null,
  connection_id uuid not null,
  counted json not null,
  transactional json default '{}'::json not null,
  same_message json default '[]'::json not null,
  constraint key_recipients_pkey PRIMARY KEY (business_id, connection_id)
);

create table lanes (
  shard smallint not null,
  id uuid not null,
  kind text not null,
  priority smallint not null,
  capacity smallint,
  next_at timestamp with time zone not null,
  touched_at timestamp with time zone not null,
  paused_at timestamp with time zone,
  business_id uuid default '00000000-0000-0000-0000-000000000000'::uuid not null,
  constraint lanes_pkey PRIMARY KEY (shard, id)
);
CREATE INDEX lanes_due ON public.lanes USING btree (shard, priority, next_at) WHERE (paused_at IS NULL);

create table last_saves (
  business_id uuid not null,
  object_id uuid not null,
  user_id uuid,
  connection_id uuid,
  saved_at timestamp with time zone not null,
  constraint last_saves_pkey PRIMARY KEY (business_id, object_id)
);

create table link_visits (
  business_id uuid not null,
  message_id uuid not null,
  id uuid not null,
  link_hash bytea,
  links smallint not null,
  visitor bytea not null,
  machine boolean not null,
  visited_at timestamp with time zone not null,
  judged_at timestamp with time zone,
  constraint link_visits_pkey PRIMARY KEY (business_id, message_id, id)
);
CREATE INDEX link_visits_by_age ON public.link_visits USING btree (visited_at);
CREATE INDEX link_visits_by_message ON public.link_visits USING btree (business_id, message_id, visited_at);
CREATE INDEX link_visits_to_judge ON public.link_visits USING btree (visited_at) WHERE (judged_at IS NULL);

create table magic_links (
  id uuid not null,
  token_hash bytea not null,
  purpose text not null,
  email text,
  request jsonb not null,
  browser_hash bytea,
  short_code_hash bytea,
  short_code_tries integer default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint magic_links_pkey PRIMARY KEY (id),
  constraint magic_links_token_hash_key UNIQUE (token_hash),
  constraint magic_links_purpose_check CHECK ((purpose = ANY (ARRAY['connect'::text, 'session'::text, 'setup'::text])))
);
CREATE INDEX magic_links_by_expiry ON public.magic_links USING btree (expires_at);

create table mandate_orders (
  business_id uuid not null,
  object_id uuid not null,
  mandate_id uuid not null,
  kind text not null,
  people integer not null,
  at timestamp with time zone not null,
  constraint mandate_orders_pkey PRIMARY KEY (business_id, object_id),
  constraint mandate_orders_kind_check CHECK ((kind = ANY (ARRAY['campaign'::text, 'sequence'::text])))
);
CREATE INDEX mandate_orders_by_mandate ON public.mandate_orders USING btree (business_id, mandate_id, at);

create table mandates (
  business_id uuid not null,
  id uuid not null,
  connection_id uuid not null,
  terms json not null,
  signed_by uuid not null,
  signed_at timestamp with time zone not null,
  ends_at timestamp with time zone not null,
  paused_at timestamp with time zone,
  ended_at timestamp with time zone,
  constraint mandates_pkey PRIMARY KEY (business_id, id)
);
CREATE UNIQUE INDEX mandates_in_force ON public.mandates USING btree (business_id, connection_id) WHERE (ended_at IS NULL);

create table memberships (
  business_id uuid not null,
  user_id uuid not null,
  role text not null,
  created_at timestamp with time zone not null,
  held_at timestamp with time zone,
  held_by text,
  held_subject text,
  constraint memberships_pkey PRIMARY KEY (business_id, user_id),
  constraint memberships_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id),
  constraint memberships_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint memberships_role_check CHECK ((role = ANY (ARRAY['owner'::text, 'admin'::text, 'editor'::text, 'approver'::text, 'viewer'::text])))
);
CREATE INDEX memberships_by_user ON public.memberships USING btree (user_id) INCLUDE (business_id, role);

create table message_contents (
  business_id uuid not null,
  message_id uuid not null,
  subject text,
  html text,
  body_text text,
  variables json,
  attachments json,
  created_at timestamp with time zone not null,
  track_opens boolean default true not null,
  track_clicks boolean default true not null,
  header_fields jsonb,
  copy_of uuid,
  language text,
  constraint message_contents_pkey PRIMARY KEY (business_id, message_id)
);
CREATE INDEX message_contents_copies ON public.message_contents USING btree (business_id, copy_of) WHERE (copy_of IS NOT NULL);

create table message_events (
  business_id uuid not null,
  message_id uuid not null,
  id uuid not null,
  type text not null,
  happened_at timestamp with time zone not null,
  code text,
  words text,
  url text,
  machine boolean,
  created_at timestamp with time zone not null,
  constraint message_events_pkey PRIMARY KEY (business_id, message_id, created_at, id)
) partition by RANGE (created_at);

create table message_events_default partition of message_events DEFAULT;

create table message_holds (
  business_id uuid not null,
  campaign_id uuid not null,
  state text not null,
  created_at timestamp with time zone not null,
  constraint message_holds_pkey PRIMARY KEY (business_id, campaign_id),
  constraint message_holds_state_check CHECK ((state = ANY (ARRAY['held'::text, 'cancelled'::text])))
);

create table messages (
  business_id uuid not null,
  id uuid not null,
  kind text not null,
  contact_id uuid,
  recipient text not null,
  recipient_mark bytea,
  template_id uuid,
  template_version_id uuid,
  state text not null,
  attempt_id uuid,
  job_shard smallint,
  job_id uuid,
  attempts smallint not null,
  due_at timestamp with time zone not null,
  queued_at timestamp with time zone,
  route text,
  sender_domain text,
  connection_id uuid,
  call_id uuid,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  channel text default 'email'::text not null,
  segments smallint,
  is_reply boolean default false not null,
  taken_as text,
  campaign_id uuid,
  topic text,
  labels jsonb,
  provider text,
  shown_blocks smallint,
  constraint messages_pkey PRIMARY KEY (business_id, id),
  constraint messages_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  constraint messages_kind_check CHECK ((kind = ANY (ARRAY['transactional'::text, 'marketing'::text]))),
  constraint messages_state_check CHECK ((state = ANY (ARRAY['scheduled'::text, 'queued'::text, 'attempting'::text, 'accepted'::text, 'deferred'::text, 'delivered'::text, 'bounced'::text, 'failed'::text, 'unknown'::text, 'suppressed'::text, 'cancelled'::text])))
);
CREATE INDEX messages_by_contact ON public.messages USING btree (business_id, contact_id, id) WHERE (contact_id IS NOT NULL);
CREATE INDEX messages_by_id ON public.messages USING btree (id);
CREATE INDEX messages_by_number ON public.messages USING btree (recipient, id) WHERE (channel = 'sms'::text);
CREATE INDEX messages_by_taken_as ON public.messages USING btree (taken_as) WHERE (taken_as IS NOT NULL);
CREATE INDEX messages_by_template ON public.messages USING btree (business_id, template_id, id) WHERE ((template_id IS NOT NULL) AND (campaign_id IS NULL));

create table moved_keys (
  id uuid not null,
  purpose text not null,
  ordinal smallint not null,
  sealed bytea not null,
  moved_at timestamp with time zone not null,
  constraint moved_keys_pkey PRIMARY KEY (id, purpose, ordinal)
);

create table node_work (
  slot timestamp with time zone not null,
  what text not null,
  amount bigint not null,
  constraint node_work_pkey PRIMARY KEY (slot, what)
);

create table nodes (
  id uuid not null,
  role text not null,
  host text not null,
  started_at timestamp with time zone not null,
  seen_at timestamp with time zone not null,
  stopped_at timestamp with time zone,
  clock_ahead_ms bigint,
  constraint nodes_pkey PRIMARY KEY (id),
  constraint nodes_role_check CHECK ((role = ANY (ARRAY['api'::text, 'worker'::text, 'all'::text])))
);

create table oauth_clients (
  id text not null,
  kind text not null,
  name text not null,
  redirect_uris text[] not null,
  grant_types text[] not null,
  created_at timestamp with time zone not null,
  document_expires_at timestamp with time zone,
  disabled_at timestamp with time zone,
  removed_at timestamp with time zone,
  constraint oauth_clients_pkey PRIMARY KEY (id),
  constraint oauth_clients_kind_check CHECK ((kind = ANY (ARRAY['dynamic'::text, 'document'::text])))
);
CREATE INDEX oauth_clients_by_age ON public.oauth_clients USING btree (created_at);

create table own_events (
  business_id uuid not null,
  key bytea not null,
  id uuid not null,
  contact_id uuid not null,
  name text not null,
  happened_at timestamp with time zone not null,
  value numeric,
  currency text,
  properties json not null,
  campaign_id uuid,
  connection_id uuid,
  call_id uuid,
  created_at timestamp with time zone not null,
  sequence_id uuid,
  constraint own_events_pkey PRIMARY KEY (business_id, key)
);
CREATE INDEX own_events_by_campaign ON public.own_events USING btree (business_id, campaign_id) WHERE (campaign_id IS NOT NULL);
CREATE INDEX own_events_by_contact ON public.own_events USING btree (business_id, contact_id, id);
CREATE INDEX own_events_by_name ON public.own_events USING btree (business_id, name, happened_at, contact_id) INCLUDE (value);
CREATE INDEX own_events_by_sequence ON public.own_events USING btree (business_id, sequence_id) WHERE (sequence_id IS NOT NULL);

create table ownership_offers (
  business_id uuid not null,
  from_user uuid not null,
  to_user uuid not null,
  offered_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint ownership_offers_pkey PRIMARY KEY (business_id),
  constraint ownership_offers_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id),
  constraint ownership_offers_from_user_fkey FOREIGN KEY (from_user) REFERENCES users(id),
  constraint ownership_offers_to_user_fkey FOREIGN KEY (to_user) REFERENCES users(id)
);

create table package_files (
  file text not null,
  sha256 bytea not null,
  bytes bytea not null,
  created_at timestamp with time zone not null,
  constraint package_files_pkey PRIMARY KEY (file)
);

create table passkeys (
  id uuid not null,
  user_id uuid not null,
  credential bytea not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  constraint passkeys_pkey PRIMARY KEY (id),
  constraint passkeys_credential_key UNIQUE (credential),
  constraint passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX passkeys_by_user ON public.passkeys USING btree (user_id, id);

create table past_identities (
  issuer text not null,
  subject text not null,
  user_id uuid not null,
  unlinked_at timestamp with time zone not null,
  constraint past_identities_pkey PRIMARY KEY (issuer, subject, user_id),
  constraint past_identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

create table proposals (
  business_id uuid not null,
  id uuid not null,
  batch_id uuid not null,
  contact_id uuid not null,
  kind text not null,
  subject text,
  body text,
  state text not null,
  reason text,
  message_id uuid,
  connection_id uuid,
  user_id uuid not null,
  call_id uuid,
  proposed_at timestamp with time zone not null,
  decided_at timestamp with time zone,
  sent_at timestamp with time zone,
  constraint proposals_pkey PRIMARY KEY (business_id, id),
  constraint proposals_kind_check CHECK ((kind = ANY (ARRAY['transactional'::text, 'marketing'::text]))),
  constraint proposals_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'approved'::text, 'sent'::text, 'refused'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX proposals_by_batch ON public.proposals USING btree (business_id, batch_id, id);
CREATE INDEX proposals_by_contact ON public.proposals USING btree (business_id, contact_id, sent_at);
CREATE INDEX proposals_waiting ON public.proposals USING btree (business_id) WHERE (state = 'waiting'::text);

create table provider_domain_claims (
  name text not null,
  held_by uuid not null,
  claimed_at timestamp with time zone not null,
  constraint provider_domain_claims_pkey PRIMARY KEY (name)
);

create table provider_domains (
  business_id uuid not null,
  domain text not null,
  added_at timestamp with time zone not null,
  proven_at timestamp with time zone,
  checked_at timestamp with time zone,
  constraint provider_domains_pkey PRIMARY KEY (business_id, domain),
  constraint provider_domains_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id)
);
CREATE INDEX provider_domains_proven ON public.provider_domains USING btree (domain) WHERE (proven_at IS NOT NULL);

create table provider_holds (
  business_id uuid not null,
  campaign_id uuid not null,
  provider text not null,
  reason text not null,
  times smallint not null,
  held_at timestamp with time zone not null,
  held_until timestamp with time zone not null,
  sent bigint not null,
  refused_by_policy bigint not null,
  complained bigint not null,
  is_rebased boolean not null,
  base_sent bigint not null,
  base_refused bigint not null,
  base_complained bigint not null,
  constraint provider_holds_pkey PRIMARY KEY (business_id, campaign_id, provider)
);

create table provider_sign_ins (
  id uuid not null,
  state_hash bytea not null,
  provider_id uuid,
  issuer text not null,
  browser_hash bytea not null,
  next text not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  answered_at timestamp with time zone,
  subject text,
  email text,
  provider_session text,
  user_id uuid,
  ended_at timestamp with time zone,
  role text,
  refresh_token bytea,
  asks_consent boolean default false not null,
  lacks_scopes text[],
  constraint provider_sign_ins_pkey PRIMARY KEY (id),
  constraint provider_sign_ins_state_hash_key UNIQUE (state_hash),
  constraint provider_sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);
CREATE INDEX provider_sign_ins_by_browser ON public.provider_sign_ins USING btree (browser_hash);
CREATE INDEX provider_sign_ins_by_expiry ON public.provider_sign_ins USING btree (expires_at);

create table recent_messages (
  business_id uuid not null,
  content_hash bytea not null,
  message_id uuid not null,
  created_at timestamp with time zone not null,
  constraint recent_messages_pkey PRIMARY KEY (business_id, content_hash)
);
CREATE INDEX recent_messages_by_age ON public.recent_messages USING btree (created_at);

create table recovery_codes (
  user_id uuid not null,
  hash bytea not null,
  made_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint recovery_codes_pkey PRIMARY KEY (user_id, hash),
  constraint recovery_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table refresh_tokens (
  hash bytea not null,
  connection_id uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  rotated_at timestamp with time zone,
  generation integer default 0 not null,
  constraint refresh_tokens_pkey PRIMARY KEY (hash),
  constraint refresh_tokens_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES connections(id) ON DELETE CASCADE
);
CREATE INDEX refresh_tokens_by_expiry ON public.refresh_tokens USING btree (expires_at);
CREATE INDEX refresh_tokens_by_generation ON public.refresh_tokens USING btree (connection_id, generation);

create table relay_feedback (
  route text not null,
  heard_at timestamp with time zone not null,
  source text not null,
  constraint relay_feedback_pkey PRIMARY KEY (route)
);

create table relay_probes (
  id uuid not null,
  route text not null,
  sent_at timestamp with time zone not null,
  answered_at timestamp with time zone,
  words text,
  constraint relay_probes_pkey PRIMARY KEY (id)
);

create table removed_members (
  business_id uuid not null,
  user_id uuid not null,
  email text not null,
  removed_at timestamp with time zone not null,
  constraint removed_members_pkey PRIMARY KEY (business_id, user_id),
  constraint removed_members_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id),
  constraint removed_members_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id)
);

create table replies (
  business_id uuid not null,
  id uuid not null,
  phone text not null,
  sender text not null,
  contact_id uuid,
  body text not null,
  meaning text not null,
  review text,
  decided_at timestamp with time zone,
  created_at timestamp with time zone not null,
  constraint replies_pkey PRIMARY KEY (business_id, id),
  constraint replies_meaning_check CHECK ((meaning = ANY (ARRAY['stop'::text, 'start'::text, 'help'::text, 'opt_out'::text, 'other'::text]))),
  constraint replies_review_check CHECK ((review = ANY (ARRAY['open'::text, 'opted_out'::text, 'kept'::text])))
);
CREATE INDEX replies_by_age ON public.replies USING btree (created_at);
CREATE INDEX replies_to_review ON public.replies USING btree (business_id, id) WHERE (review = 'open'::text);

create unlogged table request_seconds (
  key text not null,
  node uuid not null,
  last_second bigint not null,
  counts smallint[] not null,
  constraint request_seconds_pkey PRIMARY KEY (key, node)
);

create table retention_runs (
  business_id uuid not null,
  night date not null,
  kind text not null,
  after_id uuid,
  deleted jsonb default '{}'::jsonb not null,
  finished_at timestamp with time zone,
  history_from timestamp with time zone,
  events_from timestamp with time zone,
  constraint retention_runs_pkey PRIMARY KEY (business_id),
  constraint retention_runs_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id)
);

create table schema_migrations (
  name text not null,
  sha256 text not null,
  applied_at timestamp with time zone not null,
  constraint schema_migrations_pkey PRIMARY KEY (name)
);

create table segments (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  filter json not null,
  version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint segments_pkey PRIMARY KEY (business_id, id)
);
CREATE UNIQUE INDEX segments_by_name ON public.segments USING btree (business_id, lower(name)) WHERE (deleted_at IS NULL);

create table send_throttles (
  route text not null,
  domain text not null,
  tokens double precision not null,
  filled_at timestamp with time zone not null,
  in_flight integer not null,
  slowed_at timestamp with time zone,
  paused_until timestamp with time zone,
  first_day date not null,
  day date not null,
  sent_that_day integer not null,
  refusals smallint default 0 not null,
  refused_since timestamp with time zone,
  kind text not null,
  provider text not null,
  head_start smallint,
  missing text[],
  missing_at timestamp with time zone,
  constraint send_throttles_pkey PRIMARY KEY (route, domain, kind, provider),
  constraint send_throttles_kind_check CHECK ((kind = ANY (ARRAY['transactional'::text, 'marketing'::text])))
);
CREATE INDEX send_throttles_by_missing ON public.send_throttles USING btree (domain) WHERE (missing_at IS NOT NULL);

create table sending_stops (
  business_id uuid not null,
  stopped_id uuid not null,
  with_messages boolean default false not null,
  stopped_by uuid,
  stopped_at timestamp with time zone not null,
  all_messages boolean default false not null,
  constraint sending_stops_pkey PRIMARY KEY (business_id, stopped_id)
);

create table sequence_changes (
  business_id uuid not null,
  sequence_id uuid not null,
  contact_id uuid not null,
  imported boolean not null,
  by_connection boolean default false not null,
  constraint sequence_changes_pkey PRIMARY KEY (business_id, sequence_id, contact_id)
);
CREATE INDEX sequence_changes_by_contact ON public.sequence_changes USING btree (business_id, contact_id);

create table sequence_entries (
  business_id uuid not null,
  sequence_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  version integer not null,
  cause text not null,
  state text not null,
  reason text,
  step smallint not null,
  due_at timestamp with time zone,
  waits_for json,
  event json not null,
  entered_at timestamp with time zone not null,
  stepped_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  sends_next boolean default false not null,
  meant_at timestamp with time zone,
  by_connection boolean default false not null,
  constraint sequence_entries_pkey PRIMARY KEY (business_id, sequence_id, id),
  constraint sequence_entries_state_check CHECK ((state = ANY (ARRAY['active'::text, 'holdout'::text, 'finished'::text, 'left'::text])))
);
CREATE UNIQUE INDEX sequence_entries_by_cause ON public.sequence_entries USING btree (business_id, sequence_id, contact_id, cause);
CREATE INDEX sequence_entries_by_contact ON public.sequence_entries USING btree (business_id, contact_id, id);
CREATE INDEX sequence_entries_due ON public.sequence_entries USING btree (business_id, sequence_id, due_at) WHERE (state = 'active'::text);
CREATE INDEX sequence_entries_entered ON public.sequence_entries USING btree (business_id, sequence_id, entered_at);
CREATE INDEX sequence_entries_waiting ON public.sequence_entries USING btree (business_id, contact_id) WHERE (waits_for IS NOT NULL);

create table sequence_members (
  business_id uuid not null,
  sequence_id uuid not null,
  contact_id uuid not null,
  constraint sequence_members_pkey PRIMARY KEY (business_id, sequence_id, contact_id)
);
CREATE INDEX sequence_members_by_contact ON public.sequence_members USING btree (business_id, contact_id);

create table sequence_outcomes (
  business_id uuid not null,
  sequence_id uuid not null,
  contact_id uuid not null,
  entry_id uuid not null,
  is_holdout boolean not null,
  entered_at timestamp with time zone not null,
  judge_at timestamp with time zone,
  reached boolean,
  constraint sequence_outcomes_pkey PRIMARY KEY (business_id, sequence_id, contact_id)
);
CREATE INDEX sequence_outcomes_by_contact ON public.sequence_outcomes USING btree (business_id, contact_id);
CREATE INDEX sequence_outcomes_due ON public.sequence_outcomes USING btree (business_id, sequence_id, judge_at) WHERE (judge_at IS NOT NULL);

create table sequence_past_revenue (
  business_id uuid not null,
  sequence_id uuid not null,
  currency text not null,
  orders bigint not null,
  refunds bigint not null,
  value numeric not null,
  constraint sequence_past_revenue_pkey PRIMARY KEY (business_id, sequence_id, currency)
);

create table sequence_steps (
  business_id uuid not null,
  sequence_id uuid not null,
  entry_id uuid not null,
  step smallint not null,
  outcome text not null,
  reason text,
  message_id uuid,
  done_at timestamp with time zone not null,
  constraint sequence_steps_pkey PRIMARY KEY (business_id, sequence_id, entry_id, step),
  constraint sequence_steps_outcome_check CHECK ((outcome = ANY (ARRAY['done'::text, 'skipped'::text])))
);

create table sequence_versions (
  business_id uuid not null,
  sequence_id uuid not null,
  version integer not null,
  definition json not null,
  templates json not null,
  connection_id uuid,
  call_id uuid,
  started_at timestamp with time zone not null,
  segment json,
  sender text,
  text_sender text,
  constraint sequence_versions_pkey PRIMARY KEY (business_id, sequence_id, version)
);

create table sequence_wakes (
  business_id uuid not null,
  sequence_id uuid not null,
  wake_at timestamp with time zone,
  looked_at timestamp with time zone,
  asked_whole_at timestamp with time zone,
  is_over_bound boolean default false not null,
  constraint sequence_wakes_pkey PRIMARY KEY (business_id, sequence_id)
);

create table sequences (
  business_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null,
  definition json not null,
  version integer not null,
  running_version integer,
  pause_reason text,
  wanted json,
  is_approved boolean default false not null,
  people_per_day integer,
  ends_at timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  constraint sequences_pkey PRIMARY KEY (business_id, id),
  constraint sequences_status_check CHECK ((status = ANY (ARRAY['draft'::text, 'awaiting_approval'::text, 'running'::text, 'paused'::text, 'stopped'::text])))
);
CREATE UNIQUE INDEX sequences_by_name ON public.sequences USING btree (business_id, lower(name)) WHERE (deleted_at IS NULL);

create table sessions (
  hash bytea not null,
  id uuid not null,
  user_id uuid not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  agent text,
  address text,
  proven_at timestamp with time zone,
  proven_by text,
  proven_with uuid,
  country text,
  ends_at timestamp with time zone,
  issuer text,
  subject text,
  provider_session text,
  constraint sessions_pkey PRIMARY KEY (hash),
  constraint sessions_id_key UNIQUE (id),
  constraint sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id),
  constraint sessions_proven_by_check CHECK ((proven_by = ANY (ARRAY['passkey'::text, 'code'::text, 'recovery_code'::text])))
);
CREATE INDEX sessions_by_expiry ON public.sessions USING btree (expires_at);
CREATE INDEX sessions_by_subject ON public.sessions USING btree (issuer, subject) WHERE (issuer IS NOT NULL);
CREATE INDEX sessions_by_user ON public.sessions USING btree (user_id);

create table shard_leases (
  shard smallint not null,
  worker uuid,
  expires_at timestamp with time zone not null,
  constraint shard_leases_pkey PRIMARY KEY (shard)
);

create table signing_keys (
  kid text not null,
  number integer not null,
  public_jwk jsonb not null,
  sealed_private bytea not null,
  created_at timestamp with time zone not null,
  signs_from timestamp with time zone not null,
  constraint signing_keys_pkey PRIMARY KEY (kid),
  constraint signing_keys_number_key UNIQUE (number)
);

create table soft_bounces (
  business_id uuid not null,
  address_hmac bytea not null,
  count integer not null,
  last_at timestamp with time zone not null,
  constraint soft_bounces_pkey PRIMARY KEY (business_id, address_hmac)
);
CREATE INDEX soft_bounces_by_age ON public.soft_bounces USING btree (last_at);

create table stopped_numbers (
  mark bytea not null,
  created_at timestamp with time zone not null,
  constraint stopped_numbers_pkey PRIMARY KEY (mark)
);
CREATE INDEX stopped_numbers_by_age ON public.stopped_numbers USING btree (created_at);

create table submissions (
  business_id uuid not null,
  form_id uuid not null,
  id uuid not null,
  contact_id uuid not null,
  form_version integer not null,
  fields json not null,
  answers json not null,
  source_url text not null,
  connection_id uuid,
  call_id uuid,
  created_at timestamp with time zone not null,
  constraint submissions_pkey PRIMARY KEY (business_id, form_id, id)
);

create table suppressed_hashes (
  business_id uuid not null,
  sha256 bytea not null,
  reason text not null,
  created_at timestamp with time zone not null,
  address_hmac bytea,
  written_at timestamp with time zone,
  beside_reason text,
  beside_source text,
  beside_at timestamp with time zone,
  constraint suppressed_hashes_pkey PRIMARY KEY (business_id, sha256),
  constraint suppressed_hashes_reason_check CHECK ((reason = ANY (ARRAY['complaint'::text, 'bounce'::text, 'manual'::text, 'unsubscribed'::text])))
);
CREATE INDEX suppressed_hashes_by_address ON public.suppressed_hashes USING btree (business_id, address_hmac) WHERE (address_hmac IS NOT NULL);
CREATE INDEX suppressed_hashes_by_time ON public.suppressed_hashes USING btree (business_id, created_at, sha256) WHERE (address_hmac IS NULL);
CREATE INDEX suppressed_hashes_by_writing ON public.suppressed_hashes USING btree (COALESCE(written_at, created_at)) WHERE (address_hmac IS NULL);

create table suppressions (
  business_id uuid not null,
  channel text not null,
  address_hmac bytea not null,
  reason text not null,
  source text not null,
  created_at timestamp with time zone not null,
  complained_at timestamp with time zone,
  written_at timestamp with time zone,
  beside_reason text,
  beside_source text,
  beside_at timestamp with time zone,
  constraint suppressions_pkey PRIMARY KEY (business_id, channel, address_hmac),
  constraint suppressions_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text]))),
  constraint suppressions_reason_check CHECK ((reason = ANY (ARRAY['erased'::text, 'complaint'::text, 'bounce'::text, 'manual'::text, 'stop'::text, 'unsubscribed'::text])))
);
CREATE INDEX suppressions_by_time ON public.suppressions USING btree (business_id, created_at, address_hmac);
CREATE INDEX suppressions_by_writing ON public.suppressions USING btree (COALESCE(written_at, created_at));

create table tagging_changes (
  business_id uuid not null,
  tagging_id uuid not null,
  contact_id uuid not null,
  added text[] not null,
  removed text[] not null,
  constraint tagging_changes_pkey PRIMARY KEY (business_id, tagging_id, contact_id)
);

create table taggings (
  business_id uuid not null,
  id uuid not null,
  filter json not null,
  add_tags text[] not null,
  remove_tags text[] not null,
  contacts bigint not null,
  looked bigint not null,
  changed bigint not null,
  refused bigint not null,
  looked_to uuid,
  asked_at timestamp with time zone not null,
  finished_at timestamp with time zone,
  connection_id uuid,
  call_id uuid,
  undo_asked_at timestamp with time zone,
  undo_finished_at timestamp with time zone,
  undone bigint default 0 not null,
  constraint taggings_pkey PRIMARY KEY (business_id, id)
);

create table taken_texts (
  identity bytea not null,
  created_at timestamp with time zone not null,
  constraint taken_texts_pkey PRIMARY KEY (identity)
);
CREATE INDEX taken_texts_by_age ON public.taken_texts USING btree (created_at);

create table template_versions (
  business_id uuid not null,
  template_id uuid not null,
  version integer not null,
  id uuid not null,
  source json not null,
  compiled json not null,
  connection_id uuid,
  call_id uuid,
  created_at timestamp with time zone not null,
  user_id uuid,
  constraint template_versions_pkey PRIMARY KEY (business_id, template_id, version)
);
CREATE UNIQUE INDEX template_versions_by_id ON public.template_versions USING btree (business_id, id);

create table templates (
  business_id uuid not null,
  id uuid not null,
  channel text not null,
  name text not null,
  version integer not null,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  campaign_id uuid,
  transactional_at timestamp with time zone,
  gallery text,
  key text,
  tags text[] default '{}'::text[] not null,
  deleted_at timestamp with time zone,
  constraint templates_pkey PRIMARY KEY (business_id, id),
  constraint templates_channel_check CHECK ((channel = ANY (ARRAY['email'::text, 'sms'::text])))
);
CREATE UNIQUE INDEX templates_by_key ON public.templates USING btree (business_id, key) WHERE (key IS NOT NULL);
CREATE INDEX templates_of_business ON public.templates USING btree (business_id, id) WHERE (campaign_id IS NULL);

create table text_answers (
  mark bytea not null,
  kind text not null,
  answered_at timestamp with time zone not null,
  constraint text_answers_pkey PRIMARY KEY (mark, kind),
  constraint text_answers_kind_check CHECK ((kind = ANY (ARRAY['confirmation'::text, 'help'::text])))
);
CREATE INDEX text_answers_by_age ON public.text_answers USING btree (answered_at);

create table text_parts (
  phone text not null,
  sender text not null,
  reference integer not null,
  total smallint not null,
  part smallint not null,
  body bytea not null,
  received_at timestamp with time zone not null,
  constraint text_parts_pkey PRIMARY KEY (phone, sender, reference, total, part)
);
CREATE INDEX text_parts_by_age ON public.text_parts USING btree (received_at);

create table topics (
  business_id uuid not null,
  key text not null,
  name text not null,
  description text,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  archived_at timestamp with time zone,
  "position" integer,
  translations jsonb default '[]'::jsonb not null,
  constraint topics_pkey PRIMARY KEY (business_id, key)
);

create table tracked_links (
  business_id uuid not null,
  hash bytea not null,
  url text not null,
  used_at timestamp with time zone not null,
  constraint tracked_links_pkey PRIMARY KEY (business_id, hash)
);
CREATE INDEX tracked_links_by_use ON public.tracked_links USING btree (used_at);

create table unapproved_reach (
  business_id uuid not null,
  pending bigint not null,
  constraint unapproved_reach_pkey PRIMARY KEY (business_id)
);

create table unapproved_reach_buckets (
  business_id uuid not null,
  bucket bigint not null,
  amount bigint not null,
  constraint unapproved_reach_buckets_pkey PRIMARY KEY (business_id, bucket)
);

create table usage_days (
  business_id uuid not null,
  metric text not null,
  day date not null,
  amount bigint not null,
  constraint usage_days_pkey PRIMARY KEY (business_id, metric, day),
  constraint usage_days_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id)
);

create table usage_months (
  business_id uuid not null,
  metric text not null,
  month date not null,
  amount bigint not null,
  constraint usage_months_pkey PRIMARY KEY (business_id, metric, month)
);

create table usage_standing (
  business_id uuid not null,
  metric text not null,
  amount bigint not null,
  constraint usage_standing_pkey PRIMARY KEY (business_id, metric),
  constraint usage_standing_business_id_fkey FOREIGN KEY (business_id) REFERENCES businesses(id)
);

create table usage_thresholds (
  business_id uuid not null,
  metric text not null,
  month date not null,
  step smallint not null,
  crossed_at timestamp with time zone not null,
  constraint usage_thresholds_pkey PRIMARY KEY (business_id, metric, month, step)
);

create table users (
  id uuid not null,
  email text not null,
  created_at timestamp with time zone not null,
  last_signed_in_at timestamp with time zone,
  last_signed_in_by text,
  factor_waits_until timestamp with time zone,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key UNIQUE (email),
  constraint users_last_signed_in_by_check CHECK ((last_signed_in_by = ANY (ARRAY['mail'::text, 'passkey'::text, 'code'::text, 'recovery_code'::text, 'company'::text])))
);

create table webhook_attempts (
  business_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  event_id uuid not null,
  event_type text not null,
  event_at timestamp with time zone not null,
  attempt smallint not null,
  replay_of uuid,
  created_at timestamp with time zone not null,
  begun_at timestamp with time zone,
  ended_at timestamp with time zone,
  outcome text,
  url text,
  signature text,
  status smallint,
  failure text,
  response bytea,
  next_attempt_at timestamp with time zone,
  cause text,
  constraint webhook_attempts_pkey PRIMARY KEY (business_id, id, created_at),
  constraint webhook_attempts_outcome_check CHECK ((outcome = ANY (ARRAY['delivered'::text, 'failed'::text])))
) partition by RANGE (created_at);
CREATE INDEX webhook_attempts_by_webhook ON ONLY public.webhook_attempts USING btree (business_id, webhook_id, id DESC);

create table webhook_attempts_default partition of webhook_attempts DEFAULT;
CREATE INDEX webhook_attempts_default_business_id_webhook_id_id_idx ON public.webhook_attempts_default USING btree (business_id, webhook_id, id DESC);

create table webhook_secrets (
  business_id uuid not null,
  webhook_id uuid not null,
  version integer not null,
  sealed bytea not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone,
  constraint webhook_secrets_pkey PRIMARY KEY (business_id, webhook_id, version),
  constraint webhook_secrets_business_id_webhook_id_fkey FOREIGN KEY (business_id, webhook_id) REFERENCES webhooks(business_id, id) ON DELETE CASCADE
);

create table webhooks (
  business_id uuid not null,
  id uuid not null,
  url text not null,
  events text[] not null,
  description text,
  holder_id uuid not null,
  paused_at timestamp with time zone,
  paused_because text,
  failing_since timestamp with time zone,
  created_at timestamp with time zone not null,
  updated_at timestamp with time zone not null,
  deleted_at timestamp with time zone,
  replay_at timestamp with time zone,
  replay_total integer default 0 not null,
  replay_done integer default 0 not null,
  filter jsonb,
  failing_told_at timestamp with time zone,
  constraint webhooks_pkey PRIMARY KEY (business_id, id),
  constraint webhooks_check CHECK (((paused_at IS NULL) = (paused_because IS NULL))),
  constraint webhooks_paused_because_check CHECK ((paused_because = ANY (ARRAY['asked'::text, 'connection_ended'::text])))
);
