/** Every setting by name, for the docs and `crier doctor`; defaults in words where they are computed. */

interface Setting {
  name: string
  default: string
  meaning: string
}

export const settings: Setting[] = [
  { name: 'PORT', default: '8080', meaning: 'Port it listens on.' },
  { name: 'HOST', default: '127.0.0.1', meaning: 'Address it listens on.' },
  { name: 'BASE_URL', default: 'http://localhost:$PORT', meaning: 'Public address of the API.' },
  { name: 'APP_URL', default: 'BASE_URL', meaning: 'Public address of the web app.' },
  { name: 'GATEWAY_URL', default: 'BASE_URL', meaning: 'Public address of the REST gateway.' },
  { name: 'DATA_DIR', default: './data', meaning: 'Embedded database, keys and uploads.' },
  { name: 'DATABASE_URL', default: 'embedded', meaning: 'A PostgreSQL server, 15 or newer.' },
  { name: 'DATABASE_POOL', default: '10', meaning: 'Connections to PostgreSQL at most.' },
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
    name: 'SIGNUP',
    default: 'open on loopback, else invite',
    meaning: 'Whether an unknown address that signs in becomes a user with a business.',
  },
  { name: 'DEFAULT_TIER', default: 'scale', meaning: 'Tier of a new business.' },
  { name: 'SMTP_URL', default: 'the built-in inbox', meaning: 'Relay for outgoing mail.' },
  { name: 'MAIL_FROM', default: 'crier@localhost', meaning: 'Sender of sign-in mail.' },
  {
    name: 'SMS_URL',
    default: 'the built-in inbox',
    meaning: 'Provider of texts: twilio://, smpp:// or kannel://, with from= whom they are from.',
  },
  {
    name: 'SENDER_GATE',
    default: 'strict with SMTP_URL, else off',
    meaning: 'strict: a business sends from its verified domains alone; off: from any address.',
  },
  {
    name: 'CANARY_SECONDS',
    default: '300',
    meaning: 'Above 1,000 recipients 2 % go first, and the others so much later.',
  },
  {
    name: 'DKIM_ED25519',
    default: 'no',
    meaning: 'Sign mail by ed25519 too, beside RSA; few mailboxes verify it.',
  },
  {
    name: 'DNS_SERVERS',
    default: "the machine's",
    meaning: 'Asked for sender domains: IP[:port] …',
  },
  {
    name: 'DNS_ZONE',
    default: 'none',
    meaning: 'A zone you serve, into which sender domains point: crier domains zone prints it.',
  },
  {
    name: 'SPF_MECHANISMS',
    default: 'a:BOUNCE_DOMAIN',
    meaning: 'Where mail leaves from, as SPF says it: include:spf.relay.example ip4:192.0.2.1 …',
  },
  {
    name: 'ALLOW_INBOX',
    default: 'no',
    meaning: 'Serve the built-in inbox although the public address is not loopback.',
  },
  {
    name: 'ALLOWED_REDIRECTS',
    default: 'the known assistants',
    meaning: 'Further redirect URIs, separated by spaces; a trailing * matches the rest.',
  },
  {
    name: 'UNDERSCORED_CLIENTS',
    default: 'the known ones',
    meaning: 'Further redirect hosts whose tools are listed with underscores for dots.',
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
    name: 'REQUESTS_PER_CONNECTION',
    default: '1800',
    meaning: 'Requests of one connection in any minute, with all its tokens: 600 to 30,000.',
  },
  {
    name: 'REFRESHES_PER_CONNECTION',
    default: '60',
    meaning: 'Refreshes of one connection in any hour: 2 to 1,000,000.',
  },
  {
    name: 'STREAMS_PER_CONNECTION',
    default: '5',
    meaning: 'Event streams that one connection holds open at once: 1 to 200.',
  },
  {
    name: 'OUTBOUND_ALLOW',
    default: 'none',
    meaning: 'What outbound requests may reach besides public 80 and 443: CIDR:port or CIDR:*.',
  },
  {
    name: 'TRUST_PROXY',
    default: 'no',
    meaning:
      'Proxies in front whose X-Forwarded-For is believed: how many (yes is 1), or their networks.',
  },
  {
    name: 'VISITS_PER_MINUTE',
    default: '3000',
    meaning: 'Clicks and opens that are recorded from one network in a minute.',
  },
  { name: 'BOUNCE_PORT', default: 'off', meaning: 'Port where reports on mail come back: 25.' },
  { name: 'BOUNCE_HOST', default: 'HOST', meaning: 'Address where they do.' },
  {
    name: 'BOUNCE_DOMAIN',
    default: "BASE_URL's host where BOUNCE_PORT is set",
    meaning: 'Domain of return paths where a sender domain has none; its MX is this server.',
  },
  {
    name: 'BOUNCE_CERT',
    default: 'made, in DATA_DIR',
    meaning: 'File (PEM) with the certificate and its chain for STARTTLS there.',
  },
  { name: 'BOUNCE_KEY', default: 'made, in DATA_DIR', meaning: 'File (PEM) with its key.' },
  {
    name: 'PROVIDER_SECRET',
    default: 'off',
    meaning: 'Secret by which /hooks/email/generic is signed.',
  },
  { name: 'SES_TOPICS', default: 'off', meaning: 'ARNs of SNS topics that tell of SES.' },
  { name: 'SENDGRID_KEY', default: 'off', meaning: "Verification key of SendGrid's webhook." },
  {
    name: 'WRITER_URL',
    default: 'the built-in writer',
    meaning: 'A language model for drafts: an OpenAI-compatible or Anthropic address.',
  },
  { name: 'WRITER_KEY', default: 'none', meaning: 'Its key.' },
  { name: 'WRITER_MODEL', default: 'none', meaning: 'Which of its models is asked.' },
  { name: 'ROLE', default: 'all', meaning: 'api, worker or all.' },
  { name: 'LOG_LEVEL', default: 'info', meaning: 'debug, info, warn, error or silent.' },
]
