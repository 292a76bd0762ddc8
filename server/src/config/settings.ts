/**
 * Every setting by name, for the docs and `crier doctor`. A default that is computed is given in
 * words.
 */

/** A setting as the docs and `crier doctor` describe it. */
export interface Setting {
  name: string
  default: string
  meaning: string
}

export const settings: Setting[] = [
  { name: 'PORT', default: '8080', meaning: 'Port that the service listens on.' },
  { name: 'HOST', default: '127.0.0.1', meaning: 'Address that the service listens on.' },
  { name: 'BASE_URL', default: 'http://localhost:$PORT', meaning: 'Public address of the API.' },
  { name: 'APP_URL', default: 'BASE_URL', meaning: 'Public address of the web app.' },
  { name: 'GATEWAY_URL', default: 'BASE_URL', meaning: 'Public address of the REST gateway.' },
  { name: 'DATA_DIR', default: './data', meaning: 'Embedded database, keys and uploads.' },
  {
    name: 'STORAGE_URL',
    default: 'DATA_DIR/files',
    meaning:
      'Where files of imports are kept: s3://bucket/prefix, or file:///folder; needed where nodes run apart.',
  },
  {
    name: 'AWS_ACCESS_KEY_ID',
    default: 'none',
    meaning: 'Key of the buckets of STORAGE_URL and BACKUP_TO, at Amazon or whoever speaks S3.',
  },
  { name: 'AWS_SECRET_ACCESS_KEY', default: 'none', meaning: 'Its secret.' },
  { name: 'AWS_REGION', default: 'us-east-1', meaning: 'Region of these buckets.' },
  {
    name: 'AWS_ENDPOINT_URL_S3',
    default: 'https://s3.$AWS_REGION.amazonaws.com',
    meaning: 'Address of the S3 service, where it is not Amazon: https://host[:port].',
  },
  { name: 'DATABASE_URL', default: 'embedded', meaning: 'A PostgreSQL server, 15 or newer.' },
  {
    name: 'DATABASE_DIRECT_URL',
    default: 'DATABASE_URL',
    meaning:
      'The same PostgreSQL past its pooler: over it a worker hears at once of jobs that other processes queue, and backups are made and restored.',
  },
  {
    name: 'DATABASE_MEMORY',
    default: 'a quarter of the machine',
    meaning: 'Megabytes that the embedded PostgreSQL takes for its buffers (shared_buffers).',
  },
  { name: 'DATABASE_POOL', default: '10', meaning: 'Maximum number of connections to PostgreSQL.' },
  {
    name: 'SERVICE_SLUG',
    default: 'svc',
    meaning: 'First part of the names of tools and scopes, such as svc.v1.form.list.',
  },
  {
    name: 'CRIER_SECRET',
    default: 'made once in DATA_DIR',
    meaning: 'Seals secrets and keys HMACs; required where several nodes share a database.',
  },
  {
    name: 'HISTORY_MONTHS',
    default: 'none',
    meaning:
      'The most months (6 to 120) that any business keeps sent messages, recipients of campaigns, timelines and own events; a business may choose fewer.',
  },
  {
    name: 'SIGNUP',
    default: 'open on loopback, else invite',
    meaning: 'Whether an unknown address that signs in becomes a user with a business.',
  },
  { name: 'DEFAULT_TIER', default: 'scale', meaning: 'Tier of a new business.' },
  {
    name: 'DEFAULT_DEPLOY_LIMIT',
    default: '0',
    meaning:
      'Recipients a day to whom connections and keys of a new business send marketing without a person’s approval, or none for no limit.',
  },
  { name: 'SMTP_URL', default: 'the test inbox', meaning: 'Relay for outgoing mail.' },
  {
    name: 'RELAY_PROFILE',
    default: 'none',
    meaning:
      'Whose relay SMTP_URL is: own, ses, postmark, mailgun, brevo, resend, sendgrid or mailjet.',
  },
  {
    name: 'RELAYS',
    default: 'none',
    meaning: 'JSON file with several relays by name, in place of SMTP_URL.',
  },
  { name: 'MAIL_FROM', default: 'crier@localhost', meaning: 'Sender of sign-in mail.' },
  {
    name: 'SMS_URL',
    default: 'the test inbox',
    meaning: 'Provider of SMS: twilio://, smpp:// or kannel://, with from= as the default sender.',
  },
  {
    name: 'SENDER_GATE',
    default: 'strict with SMTP_URL, else off',
    meaning: 'strict: a business sends only from its verified domains; off: from any address.',
  },
  {
    name: 'FEEDBACK_GATE',
    default: 'SENDER_GATE',
    meaning:
      'strict: marketing waits until a report on a mail has come back from its relay (crier doctor --mail).',
  },
  {
    name: 'CANARY_SECONDS',
    default: '300',
    meaning:
      'Campaigns above 1,000 recipients send to 2 % first and to the others so many seconds later.',
  },
  {
    name: 'UNDO_SECONDS',
    default: '60',
    meaning:
      'How long a campaign sent in the app waits so that “Undo” takes it back; 0 sends at once.',
  },
  {
    name: 'DKIM_ED25519',
    default: 'no',
    meaning: 'Also sign mail with ed25519, in addition to RSA; few mailbox providers verify it.',
  },
  {
    name: 'DNS_SERVERS',
    default: "the machine's",
    meaning:
      'DNS servers that verify sender domains and name the providers of recipients: IP[:port] …',
  },
  {
    name: 'DNS_ZONE',
    default: 'none',
    meaning:
      'A DNS zone of yours that sender domains point to by CNAME; crier domains zone prints its records.',
  },
  {
    name: 'SPF_MECHANISMS',
    default: 'a:BOUNCE_DOMAIN',
    meaning:
      'SPF mechanisms of the hosts that send your mail: include:spf.relay.example ip4:192.0.2.1 …',
  },
  {
    name: 'ALLOW_INBOX',
    default: 'no',
    meaning: 'Serve the test inbox even if the public address is not a loopback address.',
  },
  {
    name: 'ALLOWED_REDIRECTS',
    default: 'the known assistants',
    meaning: 'Further redirect URIs, separated by spaces; a trailing * matches the rest.',
  },
  {
    name: 'DOTTED_CLIENTS',
    default: 'none',
    meaning:
      'Clients that get tool names with dots instead of underscores: redirect hosts, localhost, keys.',
  },
  {
    name: 'UNDERSCORED_CLIENTS',
    default: 'none',
    meaning: 'Without effect: names have underscores unless DOTTED_CLIENTS says otherwise.',
  },
  {
    name: 'CLIENT_DOCUMENTS',
    default: 'no',
    meaning: 'Accept a client id that is the https URL of a metadata document.',
  },
  {
    name: 'END_ON_REUSE',
    default: 'no',
    meaning: 'End a connection whose rotated-out refresh token or spent code is used late.',
  },
  {
    name: 'COUNTRY_HEADER',
    default: 'none',
    meaning:
      'Header in which the proxy names the country of a visitor, such as CF-IPCountry. Shown in the list of sessions.',
  },
  {
    name: 'REQUIRE_SECOND_FACTOR',
    default: 'no',
    meaning:
      'Everybody in the app needs a passkey or an authenticator app, and confirms by it what businesses can have confirmed.',
  },
  {
    name: 'OIDC_ISSUER',
    default: 'none',
    meaning:
      'Identity provider at which everybody may sign in, beside the mail: the https:// address by which it names itself.',
  },
  { name: 'OIDC_CLIENT_ID', default: 'none', meaning: 'Client of Crier at this provider.' },
  { name: 'OIDC_CLIENT_SECRET', default: 'none', meaning: 'Its secret.' },
  {
    name: 'OIDC_NAME',
    default: 'the host of OIDC_ISSUER',
    meaning: 'Name of the provider on the sign-in page, such as your company’s.',
  },
  {
    name: 'OIDC_TRUSTED_DOMAINS',
    default: 'none',
    meaning:
      'Mail domains for which the provider is trusted without email_verified, as Entra needs: example.com …',
  },
  {
    name: 'REQUESTS_PER_CONNECTION',
    default: '1800',
    meaning:
      'Requests that one connection may make per minute, over all its tokens: 600 to 30,000.',
  },
  {
    name: 'REFRESHES_PER_CONNECTION',
    default: '60',
    meaning: 'Token refreshes that one connection may make per hour: 2 to 1,000,000.',
  },
  {
    name: 'STREAMS_PER_CONNECTION',
    default: '5',
    meaning: 'Event streams that one connection holds open at once: 1 to 200.',
  },
  {
    name: 'OUTBOUND_ALLOW',
    default: 'none',
    meaning:
      'What outbound requests may reach besides ports 80 and 443 of public addresses: CIDR:port or CIDR:*.',
  },
  {
    name: 'TRUST_PROXY',
    default: 'no',
    meaning:
      'Reverse proxies whose X-Forwarded-For is trusted: how many (yes is 1), or their networks.',
  },
  {
    name: 'VISITS_PER_MINUTE',
    default: '3000',
    meaning: 'Clicks and opens recorded, and archive pages shown, to one network per minute.',
  },
  {
    name: 'BOUNCE_PORT',
    default: 'off',
    meaning: 'Port of the SMTP server that receives bounces, usually 25.',
  },
  { name: 'BOUNCE_HOST', default: 'HOST', meaning: 'Address that the bounce server listens on.' },
  {
    name: 'BOUNCE_DOMAIN',
    default: "BASE_URL's host where BOUNCE_PORT is set",
    meaning:
      'Return path domain for sender domains without their own; its MX record is this server.',
  },
  {
    name: 'BOUNCE_CERT',
    default: 'made, in DATA_DIR',
    meaning: "PEM file with the bounce server's STARTTLS certificate and its chain.",
  },
  {
    name: 'BOUNCE_KEY',
    default: 'made, in DATA_DIR',
    meaning: "PEM file with the certificate's key.",
  },
  {
    name: 'SUBMISSION_PORT',
    default: 'off',
    meaning: 'Port on which programs submit mail by SMTP with STARTTLS, usually 587.',
  },
  {
    name: 'SUBMISSION_TLS_PORT',
    default: 'off',
    meaning: 'Port on which programs submit mail by SMTP within TLS, usually 465.',
  },
  { name: 'SUBMISSION_HOST', default: 'HOST', meaning: 'Address that these ports listen on.' },
  {
    name: 'SUBMISSION_DOMAIN',
    default: "BASE_URL's host",
    meaning: 'Name that programs connect to, as it stands in the certificate.',
  },
  {
    name: 'SUBMISSION_CERT',
    default: 'made, in DATA_DIR',
    meaning: 'PEM file with the certificate of that name and its chain, which programs verify.',
  },
  {
    name: 'SUBMISSION_KEY',
    default: 'made, in DATA_DIR',
    meaning: "PEM file with the certificate's key.",
  },
  {
    name: 'PROVIDER_SECRET',
    default: 'off',
    meaning: 'Secret that signs requests to /hooks/email/generic.',
  },
  {
    name: 'SES_TOPICS',
    default: 'off',
    meaning: 'ARNs of the SNS topics that deliver SES notifications.',
  },
  { name: 'SENDGRID_KEY', default: 'off', meaning: "Verification key of SendGrid's webhook." },
  { name: 'MAILGUN_KEY', default: 'off', meaning: "Mailgun's HTTP webhook signing key." },
  { name: 'RESEND_KEY', default: 'off', meaning: "Signing secret of Resend's webhook, whsec_…." },
  {
    name: 'POSTMARK_LOGIN',
    default: 'off',
    meaning: "USER:PASSWORD in the URL of Postmark's webhook, at /hooks/email/postmark.",
  },
  {
    name: 'BREVO_LOGIN',
    default: 'off',
    meaning: "USER:PASSWORD in the URL of Brevo's webhook, at /hooks/email/brevo.",
  },
  {
    name: 'MAILJET_LOGIN',
    default: 'off',
    meaning: "USER:PASSWORD in the URL of Mailjet's webhook, at /hooks/email/mailjet.",
  },
  {
    name: 'WRITER_URL',
    default: 'mails of the gallery',
    meaning: 'URL of the language model that writes drafts: OpenAI-compatible or Anthropic.',
  },
  { name: 'WRITER_KEY', default: 'none', meaning: "The language model's API key." },
  { name: 'WRITER_MODEL', default: 'none', meaning: 'Name of the language model.' },
  {
    name: 'BACKUP_TO',
    default: 'off',
    meaning:
      'Folder on another disk, or s3://bucket/prefix: a backup every night, and the log of an embedded database.',
  },
  {
    name: 'BACKUP_STAMP',
    default: 'none',
    meaning:
      'With DATABASE_URL: file that your backup touches whenever it ended well, for alerts on its age.',
  },
  {
    name: 'BACKUP_PASSPHRASE',
    default: 'none: the secret is left out',
    meaning: 'Seals the secret within backups; keep it apart from them.',
  },
  {
    name: 'MOVE_PASSPHRASE',
    default: 'asked',
    meaning: 'Seals the file of a business that moves to another installation.',
  },
  {
    name: 'LEDGER_TO',
    default: 'beside the backups',
    meaning:
      'File, or s3://bucket/prefix, that keeps every opt-out and erasure, hashed, for restores of older backups.',
  },
  {
    name: 'METRICS_TOKEN',
    default: 'off: this machine alone',
    meaning: 'Bearer token with which other machines read /metrics.',
  },
  {
    name: 'STATUS_PORT',
    default: 'off',
    meaning: 'Port of its own for /healthz, /readyz and /metrics; a worker serves no other.',
  },
  {
    name: 'STATUS_HOST',
    default: 'HOST',
    meaning: 'Address that STATUS_PORT listens on.',
  },
  {
    name: 'OPERATOR_EMAIL',
    default: 'none',
    meaning:
      'Who gets a mail when a queue is stuck, a backup old, or the disk of DATA_DIR full, and who sees the whole page Status of the app.',
  },
  {
    name: 'DRAIN_SECONDS',
    default: '0',
    meaning:
      'Seconds for which an API node that gets SIGTERM serves on, not ready at /readyz, before it stops: 0 to 300.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    default: 'none',
    meaning: 'Collector of traces (OTLP over HTTP), such as http://127.0.0.1:4318.',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_HEADERS',
    default: 'none',
    meaning: 'Headers for the collector, such as authorization=Bearer%20abc, with commas between.',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    default: '1',
    meaning: 'Share of the traces that are kept, from 0 to 1, where the caller has not decided.',
  },
  { name: 'ROLE', default: 'all', meaning: 'Which parts this process runs: api, worker or all.' },
  {
    name: 'LOG_LEVEL',
    default: 'info',
    meaning: 'Lowest level that is logged: debug, info, warn, error or silent.',
  },
  {
    name: 'ACCESS_LOG',
    default: 'no',
    meaning:
      'yes: a line for each answered request, with method, route, status and milliseconds, but no address, path or body.',
  },
]
