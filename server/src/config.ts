/**
 * The settings with their types, and the limits with their reasons. Settings are read once
 * at start; a variable that does not parse, or an unknown `CRIER_` one, stops the start with
 * a line that says what would be right. `config/settings.ts` lists them by name.
 */
import type { KeyObject } from 'node:crypto'
import path from 'node:path'
import {
  address,
  allowRule,
  ConfigError,
  certificate,
  choice,
  dnsServer,
  domain,
  hostOf,
  mailbox,
  maybe,
  proxies,
  publicKey,
  secret,
  sms,
  smtp,
  spf,
  topic,
  unknownSetting,
  whole,
  yes,
} from './config/readers.ts'
import { settings } from './config/settings.ts'
import { type WriterSettings, writer } from './config/writer.ts'
import type { Tier } from './core/operation.ts'
import type { DnsServer } from './lib/dns/exchange.ts'
import type { AllowRule } from './lib/http-client/outbound-rules.ts'
import type { ProxyTrust } from './lib/http-client/proxy-trust.ts'
import type { SmsOptions } from './lib/sms/sms-url.ts'

export interface Config {
  port: number
  host: string
  /** Public addresses, without a trailing slash. */
  baseUrl: string
  appUrl: string
  gatewayUrl: string
  dataDir: string
  databaseUrl: string | undefined
  databasePool: number
  slug: string
  secret: string | undefined
  signup: 'open' | 'invite'
  defaultTier: Tier
  smtpUrl: string | undefined
  mailFrom: string
  /** Where texts go; undefined for the phones of the built-in inbox. */
  sms: SmsOptions | undefined
  senderGate: 'strict' | 'off'
  dkimEd25519: boolean
  /** How long the first of a large campaign are waited for before the others go. */
  canaryWaitMs: number
  dnsServers: DnsServer[]
  dnsZone: string | undefined
  spfMechanisms: string
  allowInbox: boolean
  allowedRedirects: string[]
  underscoredClients: string[]
  clientDocuments: boolean
  endOnReuse: boolean
  /** Of one connection, whatever number of tokens it has. */
  requestsPerConnection: number
  refreshesPerHour: number
  streamsPerConnection: number
  outboundAllow: AllowRule[]
  trustProxy: ProxyTrust | false
  /** Visits to tracked links and images that are recorded from one network in 60 s. */
  visitsPerMinute: number
  /** Where reports on mail come back by SMTP; nowhere without a port. */
  bouncePort: number | undefined
  bounceHost: string
  bounceDomain: string
  /** Files in PEM; a certificate is made where there are none. */
  bounceCertificate: { cert: string; key: string } | undefined
  /** Whether failures are to come back here, rather than to the sender's own address. */
  takesReturns: boolean
  /** By which providers sign what they tell of mail; those without are not listened to. */
  providerSecret: string | undefined
  sesTopics: string[]
  sendgridKey: KeyObject | undefined
  /** The language model that writes drafts; without one the built-in writer does. */
  writer: WriterSettings | undefined
  role: 'api' | 'worker' | 'all'
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
}

/** Sizes and rates that hold everywhere; those of a tier are in accounts/businesses/tiers.ts. */
export const limits = {
  /** Requests in any 60 s and token (contract, "Limits"). */
  requestsPerMinute: 600,
  /** Bytes of a call's body at its REST route, where the operation says nothing else. */
  callBytes: 256 * 1024,
  /** With one contact or form: 100 attributes of 4,000 characters fit. */
  recordBytes: 1024 * 1024,
  /** With the content of mail: HTML and text of 256 Ki characters each, in any script. */
  contentBytes: 2 * 1024 * 1024,
  /** With an import of 10,000 rows or attachments, and of any call at the tool-call endpoint. */
  toolCallBytes: 4 * 1024 * 1024,
  /** Bytes of any other body: forms and registrations. */
  bodyBytes: 64 * 1024,
  /** Client registrations from one network in an hour. */
  registrationsPerHour: 60,
  /** Client metadata documents fetched for one network in an hour. */
  documentFetchesPerHour: 60,
  /** Characters of a mail's HTML, and of its text; Gmail shows no more than 102 kB. */
  emailCharacters: 512 * 1024,
  /** Characters of a mail's subject: what fits a line (RFC 5322 section 2.1.1). */
  emailSubject: 500,
  /** Bytes of a template's variables as JSON. */
  emailVariablesBytes: 64 * 1024,
  /** Bytes of the files of one mail, which come as base64 in the body of a tool call. */
  emailAttachmentBytes: 2 * 1024 * 1024,
  emailAttachments: 10,
  /** Characters of a text as it is asked for, and segments of it as it goes out. */
  smsCharacters: 1_600,
  smsSegments: 10,
  /** Days ahead for which a mail is scheduled at most. */
  sendAheadDays: 90,
  /** Milliseconds in which the same words to the same person are one message. */
  duplicateMs: 120_000,
  /** Jobs that one process has in hand at once; most of a job's time is waiting. */
  jobSlots: 256,
  /** Of those, deliveries of webhooks at most: receivers may all hang at once. */
  deliveriesAtOnce: 192,
  /** Milliseconds in which a stop is expected to end; after twice as many it is given up. */
  stopMs: 10_000,
  /** Milliseconds of it that requests under way have to end. */
  requestGraceMs: 7_000,
  /** Bytes and lines of a mail that comes back that are read: a report stands at its beginning. */
  returnedMailBytes: 256 * 1024,
  returnedMailLines: 10_000,
  /** Bytes of a request in which a provider tells what became of mail. */
  providerEventBytes: 1024 * 1024,
  /** Invitations that one business sends in a day, and that one address gets from all of them. */
  invitationsPerDay: 20,
  invitationsPerAddressDay: 5,
  /** Drafts that a language model writes for one business in an hour: each costs its operator. */
  modelDraftsPerHour: 60,
  /** Visits to the links of one message that are kept of each minute: no person makes more. */
  visitsPerMessageMinute: 50,
  /** Changes of preferences by one link in an hour; opting out is never refused. */
  preferenceChangesPerHour: 20,
  /** Links of a campaign that one preview asks; the next one goes on with those left. */
  linkChecksAtOnce: 20,
  /** Links that are asked for one business in a minute. */
  linkChecksPerMinute: 200,
  /** Milliseconds for which the answer of a link is remembered. */
  linkAnswerKeptMs: 600_000,
  /** Milliseconds that a preview waits for its links. */
  linkCheckWaitMs: 5_000,
  /** Soft bounces in a row after which an address is suppressed. */
  softBounces: 5,
  /** Bytes of a request in which a provider brings a text or a receipt. */
  smsHookBytes: 64 * 1024,
  /** Characters of a text from a person that are kept: more than ten parts of one. */
  replyCharacters: 2_000,
  /** Milliseconds in which a number is told once that STOP or START was heard; so with HELP. */
  textAnswerMs: 300_000,
  /** Days for which texts from people are kept. */
  repliesKeptDays: 400,
} as const

export { ConfigError }

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

export function isLoopbackUrl(url: string): boolean {
  return loopbackHosts.has(new URL(url).hostname)
}

/** Whether what stays on this machine may be looked into: it is nobody else's. */
export function mayShowInbox(
  config: Pick<Config, 'allowInbox' | 'host' | 'baseUrl' | 'appUrl'>,
): boolean {
  const host = config.host.includes(':') ? `[${config.host}]` : config.host
  const addresses = [`http://${host}`, config.baseUrl, config.appUrl]
  return config.allowInbox || addresses.every(isLoopbackUrl)
}

type Env = Record<string, string | undefined>

export function readConfig(env: Env): Config {
  for (const name of Object.keys(env)) {
    if (name.startsWith('CRIER_') && !settings.some((setting) => setting.name === name)) {
      throw new ConfigError(unknownSetting(name))
    }
  }
  const text = (name: string): string | undefined => env[name]?.trim() || undefined
  const number = (name: string, otherwise: number, least: number, most: number) =>
    whole(text(name) ?? String(otherwise), name, least, most)
  const list = (name: string) => text(name)?.split(/[\s,]+/) ?? []
  const port = whole(text('PORT') ?? '8080', 'PORT', 0, 65_535)
  const baseUrl = address(text('BASE_URL') ?? `http://localhost:${port}`, 'BASE_URL')
  const bounceDomain = domain(text('BOUNCE_DOMAIN') ?? hostOf(baseUrl), 'BOUNCE_DOMAIN')
  const slug = text('SERVICE_SLUG') ?? 'svc'
  if (!/^[a-z][a-z0-9]{0,15}$/.test(slug)) {
    throw new ConfigError('SERVICE_SLUG takes 1 to 16 lower-case letters and digits, such as svc.')
  }
  return {
    port,
    host: text('HOST') ?? '127.0.0.1',
    baseUrl,
    appUrl: address(text('APP_URL') ?? baseUrl, 'APP_URL'),
    gatewayUrl: address(text('GATEWAY_URL') ?? baseUrl, 'GATEWAY_URL'),
    dataDir: path.resolve(text('DATA_DIR') ?? './data'),
    databaseUrl: text('DATABASE_URL'),
    databasePool: whole(text('DATABASE_POOL') ?? '10', 'DATABASE_POOL', 2, 500),
    slug,
    secret: secret(text('CRIER_SECRET'), 'CRIER_SECRET'),
    signup:
      choice(text('SIGNUP'), 'SIGNUP', ['open', 'invite']) ??
      (isLoopbackUrl(baseUrl) ? 'open' : 'invite'),
    defaultTier:
      choice(text('DEFAULT_TIER'), 'DEFAULT_TIER', ['free', 'growth', 'scale']) ?? 'scale',
    smtpUrl: smtp(text('SMTP_URL')),
    mailFrom: maybe(text('MAIL_FROM'), mailbox) ?? 'crier@localhost',
    sms: maybe(text('SMS_URL'), sms),
    senderGate:
      choice(text('SENDER_GATE'), 'SENDER_GATE', ['strict', 'off']) ??
      (text('SMTP_URL') ? 'strict' : 'off'),
    canaryWaitMs: 1000 * whole(text('CANARY_SECONDS') ?? '300', 'CANARY_SECONDS', 0, 86_400),
    dkimEd25519: yes(text('DKIM_ED25519'), 'DKIM_ED25519'),
    dnsServers: list('DNS_SERVERS').map(dnsServer),
    dnsZone: maybe(text('DNS_ZONE'), (zone) => domain(zone, 'DNS_ZONE')),
    spfMechanisms: spf(text('SPF_MECHANISMS') ?? `a:${bounceDomain}`),
    allowInbox: yes(text('ALLOW_INBOX'), 'ALLOW_INBOX'),
    allowedRedirects: list('ALLOWED_REDIRECTS'),
    underscoredClients: list('UNDERSCORED_CLIENTS'),
    clientDocuments: yes(text('CLIENT_DOCUMENTS'), 'CLIENT_DOCUMENTS'),
    endOnReuse: yes(text('END_ON_REUSE'), 'END_ON_REUSE'),
    requestsPerConnection: number('REQUESTS_PER_CONNECTION', 1_800, 600, 30_000),
    refreshesPerHour: number('REFRESHES_PER_CONNECTION', 60, 2, 1_000_000),
    streamsPerConnection: number('STREAMS_PER_CONNECTION', 5, 1, 200),
    outboundAllow: list('OUTBOUND_ALLOW').map(allowRule),
    trustProxy: maybe(text('TRUST_PROXY'), proxies) ?? false,
    visitsPerMinute: whole(text('VISITS_PER_MINUTE') ?? '3000', 'VISITS_PER_MINUTE', 1, 60_000),
    bouncePort: maybe(text('BOUNCE_PORT'), (port) => whole(port, 'BOUNCE_PORT', 0, 65_535)),
    bounceHost: text('BOUNCE_HOST') ?? text('HOST') ?? '127.0.0.1',
    bounceDomain,
    bounceCertificate: certificate(text('BOUNCE_CERT'), text('BOUNCE_KEY')),
    takesReturns: (text('BOUNCE_PORT') ?? text('BOUNCE_DOMAIN')) !== undefined,
    providerSecret: secret(text('PROVIDER_SECRET'), 'PROVIDER_SECRET'),
    sesTopics: list('SES_TOPICS').map(topic),
    sendgridKey: maybe(text('SENDGRID_KEY'), (key) => publicKey(key, 'SENDGRID_KEY')),
    writer: writer({
      url: text('WRITER_URL'),
      key: text('WRITER_KEY'),
      model: text('WRITER_MODEL'),
    }),
    role: choice(text('ROLE'), 'ROLE', ['api', 'worker', 'all']) ?? 'all',
    logLevel:
      choice(text('LOG_LEVEL'), 'LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']) ??
      'info',
  }
}
