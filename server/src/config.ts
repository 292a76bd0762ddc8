/**
 * The settings with their types, and the limits with their reasons. Settings are read once, at the
 * start. A variable that does not parse, or an unknown one that begins with `CRIER_`, stops the
 * start with a line that says what would be right. `config/settings.ts` lists the settings by
 * name.
 */
import path from 'node:path'
import { type CompanySignIn, readCompanySignIn } from './config/company-sign-in.ts'
import { readDatabaseMemory } from './config/database-memory.ts'
import { type OperatingConfig, readOperating } from './config/operating.ts'
import { type ProviderSettings, readProviders } from './config/providers.ts'
import {
  address,
  ConfigError,
  describeUnknownSetting,
  hostOf,
  readAllowRule,
  readCertificate,
  readChoice,
  readDnsServer,
  readDomain,
  readInteger,
  readMailbox,
  readMonths,
  readOptional,
  readProxies,
  readSecret,
  readSmsUrl,
  readSpfMechanisms,
  readYesOrNo,
} from './config/readers.ts'
import { type MailConfig, readMail } from './config/relays.ts'
import { settings } from './config/settings.ts'
import { readStorage, type StorageSettings } from './config/storage.ts'
import { readWriter, type WriterSettings } from './config/writer.ts'
import type { Tier } from './core/operation.ts'
import type { DnsServer } from './lib/dns/exchange.ts'
import type { AllowRule } from './lib/http-client/outbound-guard.ts'
import type { ProxyTrust } from './lib/http-client/proxy-trust.ts'
import type { SmsOptions } from './lib/sms/sms-url.ts'

export interface Config extends OperatingConfig, MailConfig, ProviderSettings {
  port: number
  host: string
  /** Public addresses, without a trailing slash. */
  baseUrl: string
  appUrl: string
  gatewayUrl: string
  dataDir: string
  /** Where files are stored; undefined for DATA_DIR. */
  storage: StorageSettings | undefined
  databaseUrl: string | undefined
  databasePool: number
  /** Bytes for the buffers of the embedded database. */
  databaseMemory: number
  slug: string
  secret: string | undefined
  signup: 'open' | 'invite'
  /** The most months that any business keeps its history and own events; null: no limit. */
  historyMonths: number | null
  defaultTier: Tier
  /** Recipients a day to whom programs of a new business send without approval; null: no limit. */
  defaultDeployLimit: number | null
  mailFrom: string
  /** Where texts are sent; undefined for the phones of the built-in inbox. */
  sms: SmsOptions | undefined
  senderGate: 'strict' | 'off'
  /** Whether marketing waits for a first report from its relay. */
  feedbackGate: 'strict' | 'off'
  dkimEd25519: boolean
  /** How long the first recipients of a large campaign are observed before the others follow. */
  canaryWaitMs: number
  /** How long a person can take back what they sent in the app. */
  undoMs: number
  dnsServers: DnsServer[]
  dnsZone: string | undefined
  spfMechanisms: string
  allowInbox: boolean
  allowedRedirects: string[]
  dottedClients: string[]
  clientDocuments: boolean
  endOnReuse: boolean
  /** The header in which the proxy names the country of a request's network. */
  countryHeader: string | undefined
  /** Whether everybody who signs in to the app needs a second factor. */
  requireSecondFactor: boolean
  /** The identity provider at which everybody may sign in. */
  companySignIn: CompanySignIn | undefined
  /** Limit of one connection, whatever number of tokens it has. */
  requestsPerConnection: number
  refreshesPerHour: number
  streamsPerConnection: number
  outboundAllow: AllowRule[]
  trustProxy: ProxyTrust | false
  /** Visits of one network in 60 seconds that are recorded, or that get a page of an archive. */
  visitsPerMinute: number
  /** The port on which bounces arrive by SMTP; without it there is no such server. */
  bouncePort: number | undefined
  bounceHost: string
  bounceDomain: string
  /** Certificate and key as PEM files; without them a self-signed certificate is made. */
  bounceCertificate: { cert: string; key: string } | undefined
  /** Whether bounces should come back to this service rather than to the sender's own address. */
  receivesBounces: boolean
  /** The language model that writes drafts; without one, drafts are made of the gallery. */
  writer: WriterSettings | undefined
  role: 'api' | 'worker' | 'all'
  logLevel: 'debug' | 'info' | 'warn' | 'error' | 'silent'
  /** Whether each answered request is logged, rather than only those refused or failed. */
  accessLog: boolean
}

/**
 * Sizes and rates that hold everywhere; the limits of a tier are in accounts/businesses/tiers.ts.
 */
export const limits = {
  /** Requests per token in any 60 seconds (contract 12.1). */
  requestsPerMinute: 600,
  /** Bytes of a call's body at its REST route, unless the operation sets its own limit. */
  callBytes: 256 * 1024,
  /** Bytes of a body with one contact or form: 100 attributes of 4,000 characters fit. */
  recordBytes: 1024 * 1024,
  /**
   * Bytes of a body with the content of mail: HTML and text of 256 Ki characters each, in any
   * script.
   */
  contentBytes: 2 * 1024 * 1024,
  /** Bytes of a body with 10,000 rows, and of any call at the tool endpoint. */
  toolCallBytes: 4 * 1024 * 1024,
  /** Bytes of the body of one mail over REST: its attachments take a third more as base64. */
  emailCallBytes: 15 * 1024 * 1024,
  /** Bytes of any other body, such as forms and registrations. */
  bodyBytes: 64 * 1024,
  /** Client registrations from one network per hour. */
  registrationsPerHour: 60,
  /** Client metadata documents fetched for one network per hour. */
  documentFetchesPerHour: 60,
  /** Characters of a mail's HTML, and of its text; Gmail shows no more than 102 kB. */
  emailCharacters: 512 * 1024,
  /** Characters of a mail's subject: as many as fit a line (RFC 5322 section 2.1.1). */
  emailSubject: 500,
  /** Bytes of a template's variables as JSON. */
  emailVariablesBytes: 64 * 1024,
  /** Bytes of one mail's attachments; what a tool call can carry is less. */
  emailAttachmentBytes: 10 * 1024 * 1024,
  emailAttachments: 10,
  /** Characters of a text as the caller writes it, and segments of it as it is sent. */
  smsCharacters: 1_600,
  smsSegments: 10,
  /** How many days ahead a message can be scheduled. */
  sendAheadDays: 90,
  /** Milliseconds within which the same content to the same person counts as one message. */
  duplicateMs: 120_000,
  /** Jobs that one process runs at once; most of a job's time is waiting. */
  jobSlots: 256,
  /** How many of those may be webhook deliveries, since all receivers may hang at once. */
  deliveriesAtOnce: 192,
  /** Milliseconds in which a stop is expected to finish; after twice as many it is abandoned. */
  stopMs: 10_000,
  /** Milliseconds of those that running requests get to finish. */
  requestGraceMs: 7_000,
  /** How many bytes and lines of a returned mail are read. A report is at its beginning. */
  returnedMailBytes: 256 * 1024,
  returnedMailLines: 10_000,
  /** Bytes of a provider's request with reports on mail. */
  providerEventBytes: 1024 * 1024,
  /**
   * Invitations that one business sends per day, and that one address receives from all of them.
   */
  invitationsPerDay: 20,
  invitationsPerAddressDay: 5,
  /**
   * Drafts that a language model writes for one business per hour: each costs the operator money.
   */
  modelDraftsPerHour: 60,
  /** Visits to the links of one message that are recorded per minute: no person makes more. */
  visitsPerMessageMinute: 50,
  /** Changes of preferences through one link per hour; opting out is never refused. */
  preferenceChangesPerHour: 20,
  /** Mails that ask one address to confirm: from one business, and from all in seven days. */
  confirmationsPerDay: 1,
  confirmationsPerWeek: 3,
  /** People whom one OAuth connection has asked in 24 hours to confirm, other than by a form. */
  askedByConnectionPerDay: 20,
  /** Links of a campaign that one preview checks; the next preview continues with the rest. */
  linkChecksAtOnce: 20,
  /** Links that are checked for one business per minute. */
  linkChecksPerMinute: 200,
  /** Milliseconds for which the result of a link check is cached. */
  linkAnswerKeptMs: 600_000,
  /** Milliseconds that a preview waits for its link checks. */
  linkCheckWaitMs: 5_000,
  /** Consecutive soft bounces after which an address is suppressed. */
  softBounces: 5,
  /** Bytes of a provider's request with an inbound text or a delivery receipt. */
  smsHookBytes: 64 * 1024,
  /** Characters of an inbound text that are stored: more than ten segments. */
  replyCharacters: 2_000,
  /**
   * Milliseconds within which a number gets one confirmation of STOP or START, and one answer to
   * HELP.
   */
  textAnswerMs: 300_000,
  /** Limits that trigger a mail to the operator: oldest due job, newest backup, disk, outage. */
  alertQueueSeconds: 600,
  alertBackupSeconds: 36 * 3600,
  alertArchiveSeconds: 900,
  alertDiskBytes: 2e9,
  alertOutageMs: 60_000,
  /** Days for which inbound texts are kept. */
  repliesKeptDays: 400,
} as const

export { ConfigError }

const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

export function isLoopbackUrl(url: string): boolean {
  return loopbackHosts.has(new URL(url).hostname)
}

/** Whether the built-in inbox may be shown to anybody: only if no other machine can reach it. */
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
      throw new ConfigError(describeUnknownSetting(name))
    }
  }
  const text = (name: string): string | undefined => env[name]?.trim() || undefined
  const number = (name: string, otherwise: number, least: number, limit: number) =>
    readInteger(text(name) ?? String(otherwise), name, least, limit)
  const list = (name: string) => text(name)?.split(/[\s,]+/) ?? []
  const port = readInteger(text('PORT') ?? '8080', 'PORT', 0, 65_535)
  const baseUrl = address(text('BASE_URL') ?? `http://localhost:${port}`, 'BASE_URL')
  const bounceDomain = readDomain(text('BOUNCE_DOMAIN') ?? hostOf(baseUrl), 'BOUNCE_DOMAIN')
  const slug = text('SERVICE_SLUG') ?? 'svc'
  if (!/^[a-z][a-z0-9]{0,15}$/.test(slug)) {
    throw new ConfigError(
      'SERVICE_SLUG must be 1 to 16 lower-case letters and digits, such as svc.',
    )
  }
  const senderGate =
    readChoice(text('SENDER_GATE'), 'SENDER_GATE', ['strict', 'off']) ??
    ((text('SMTP_URL') ?? text('RELAYS')) ? 'strict' : 'off')
  return {
    port,
    host: text('HOST') ?? '127.0.0.1',
    baseUrl,
    appUrl: address(text('APP_URL') ?? baseUrl, 'APP_URL'),
    gatewayUrl: address(text('GATEWAY_URL') ?? baseUrl, 'GATEWAY_URL'),
    dataDir: path.resolve(text('DATA_DIR') ?? './data'),
    storage: readStorage(text),
    databaseUrl: text('DATABASE_URL'),
    databaseMemory: readDatabaseMemory(text('DATABASE_MEMORY')),
    databasePool: readInteger(text('DATABASE_POOL') ?? '10', 'DATABASE_POOL', 2, 500),
    slug,
    secret: readSecret(text('CRIER_SECRET'), 'CRIER_SECRET'),
    signup:
      readChoice(text('SIGNUP'), 'SIGNUP', ['open', 'invite']) ??
      (isLoopbackUrl(baseUrl) ? 'open' : 'invite'),
    historyMonths: readMonths(text('HISTORY_MONTHS')),
    defaultTier:
      readChoice(text('DEFAULT_TIER'), 'DEFAULT_TIER', ['free', 'growth', 'scale']) ?? 'scale',
    defaultDeployLimit:
      text('DEFAULT_DEPLOY_LIMIT') === 'none'
        ? null
        : readInteger(text('DEFAULT_DEPLOY_LIMIT') ?? '0', 'DEFAULT_DEPLOY_LIMIT', 0, 10_000_000),
    ...readMail(text),
    mailFrom: readOptional(text('MAIL_FROM'), readMailbox) ?? 'crier@localhost',
    sms: readOptional(text('SMS_URL'), readSmsUrl),
    senderGate,
    feedbackGate:
      readChoice(text('FEEDBACK_GATE'), 'FEEDBACK_GATE', ['strict', 'off']) ?? senderGate,
    canaryWaitMs: 1000 * readInteger(text('CANARY_SECONDS') ?? '300', 'CANARY_SECONDS', 0, 86_400),
    undoMs: 1000 * readInteger(text('UNDO_SECONDS') ?? '60', 'UNDO_SECONDS', 0, 3600),
    dkimEd25519: readYesOrNo(text('DKIM_ED25519'), 'DKIM_ED25519'),
    dnsServers: list('DNS_SERVERS').map(readDnsServer),
    dnsZone: readOptional(text('DNS_ZONE'), (zone) => readDomain(zone, 'DNS_ZONE')),
    spfMechanisms: readSpfMechanisms(text('SPF_MECHANISMS') ?? `a:${bounceDomain}`),
    allowInbox: readYesOrNo(text('ALLOW_INBOX'), 'ALLOW_INBOX'),
    allowedRedirects: list('ALLOWED_REDIRECTS'),
    dottedClients: list('DOTTED_CLIENTS'),
    clientDocuments: readYesOrNo(text('CLIENT_DOCUMENTS'), 'CLIENT_DOCUMENTS'),
    endOnReuse: readYesOrNo(text('END_ON_REUSE'), 'END_ON_REUSE'),
    countryHeader: text('COUNTRY_HEADER')?.toLowerCase(),
    requireSecondFactor: readYesOrNo(text('REQUIRE_SECOND_FACTOR'), 'REQUIRE_SECOND_FACTOR'),
    companySignIn: readCompanySignIn(text),
    requestsPerConnection: number('REQUESTS_PER_CONNECTION', 1_800, 600, 30_000),
    refreshesPerHour: number('REFRESHES_PER_CONNECTION', 60, 2, 1_000_000),
    streamsPerConnection: number('STREAMS_PER_CONNECTION', 5, 1, 200),
    outboundAllow: list('OUTBOUND_ALLOW').map(readAllowRule),
    trustProxy: readOptional(text('TRUST_PROXY'), readProxies) ?? false,
    visitsPerMinute: readInteger(
      text('VISITS_PER_MINUTE') ?? '3000',
      'VISITS_PER_MINUTE',
      1,
      60_000,
    ),
    bouncePort: readOptional(text('BOUNCE_PORT'), (port) =>
      readInteger(port, 'BOUNCE_PORT', 0, 65_535),
    ),
    bounceHost: text('BOUNCE_HOST') ?? text('HOST') ?? '127.0.0.1',
    bounceDomain,
    bounceCertificate: readCertificate(text, ['BOUNCE_CERT', 'BOUNCE_KEY']),
    receivesBounces: (text('BOUNCE_PORT') ?? text('BOUNCE_DOMAIN')) !== undefined,
    ...readProviders(text),
    writer: readWriter({
      url: text('WRITER_URL'),
      key: text('WRITER_KEY'),
      model: text('WRITER_MODEL'),
    }),
    ...readOperating(text, text('HOST') ?? '127.0.0.1'),
    role: readChoice(text('ROLE'), 'ROLE', ['api', 'worker', 'all']) ?? 'all',
    logLevel:
      readChoice(text('LOG_LEVEL'), 'LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent']) ??
      'info',
    accessLog: readYesOrNo(text('ACCESS_LOG'), 'ACCESS_LOG'),
  }
}
