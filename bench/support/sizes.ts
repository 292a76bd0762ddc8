/**
 * The sizes of every bench: how often, how long and with how many. With `--smallest` they only show
 * that a bench runs and ends; such figures mean nothing. The environment sets some of the others.
 */

const isSmallest = process.argv.includes('--smallest')

function size(usual: number, smallest: number, variable?: string): number {
  if (isSmallest) return smallest
  return Number((variable && process.env[variable]) ?? usual)
}

export const sizes = {
  app: {
    contacts: size(1_000_000, 2_000, 'APP_CONTACTS'),
    rounds: size(5, 1),
    /** How many times slower than this machine a phone is. */
    processor: size(4, 1, 'APP_PROCESSOR'),
    scrolls: size(240, 5),
    presses: size(60, 3),
  },
  apart: {
    rounds: size(3, 1),
    warmUp: size(5, 1),
    webhooks: size(40, 2),
    polledWebhooks: size(20, 1),
  },
  businessList: {
    rounds: size(5, 1),
    warmUpSeconds: size(1, 0.1),
    seconds: size(4, 0.3),
  },
  campaign: {
    /** `CAMPAIGN_SIZES=10000,100000,1000000` for the whole; a million takes half an hour. */
    contacts: isSmallest ? [50] : (process.env['CAMPAIGN_SIZES'] ?? '10000').split(',').map(Number),
    /** Contacts who get a campaign first, since the bench measures sending, not compilation. */
    warmUp: size(1_000, 20),
    /** A campaign of ten seconds varies by a fifth from run to run; the median of three does not. */
    roundsOfShort: size(3, 1),
    baseline: size(5_000, 50),
  },
  /** So many that no token reaches its limit of 600 a minute at 25,000 calls a second. */
  connections: size(3_000, 300),
  contactImport: {
    rounds: size(5, 1),
    calls: size(4, 1),
    rows: size(10_000, 100),
    known: size(50_000, 500),
  },
  contactTrack: {
    rounds: size(5, 1),
    calls: size(200, 2, 'TRACK_CALLS'),
    rows: size(1_000, 100),
    known: size(100_000, 500),
  },
  closing: {
    /** `CLOSING_CONTACTS=200000` for the whole, with ten campaigns to all of them. */
    contacts: size(20_000, 100, 'CLOSING_CONTACTS'),
    campaigns: size(10, 2),
    callers: size(8, 2),
    quietMs: size(20_000, 500),
    /** Mails a minute of the other business. */
    mailsPerMinute: size(6_000, 600),
    others: size(30_000, 200, 'CLOSING_OTHERS'),
  },
  // After a pause the first half second is a third slower, on the service and on the machine.
  contactUpsert: { rounds: size(7, 1), seconds: size(8, 0.3), known: size(100_000, 500) },
  emailSend: { rounds: size(3, 1), messages: size(3_000, 40) },
  fairness: { seconds: size(5, 0.5), operations: size(Number.POSITIVE_INFINITY, 2) },
  formSubmit: {
    rounds: size(5, 1),
    seconds: size(4, 0.3),
    forms: size(1_000, 20),
    known: size(10_000, 100),
  },
  imports: {
    rows: size(1_000_000, 2_000, 'ROWS'),
    restMs: size(10_000, 100),
  },
  mailBuild: { rounds: size(5, 1), messages: size(400, 20) },
  memory: {
    idleMs: size(10_000, 100),
    restMs: size(10_000, 100),
    readMs: size(500, 10),
    few: size(100_000, 200),
    many: size(1_000_000, 400),
  },
  migrations: {
    /** `MIGRATION_ROWS=10000000` for the whole. */
    rows: size(1_000_000, 2_000, 'MIGRATION_ROWS'),
    callers: size(8, 2),
    longMs: size(6_000, 300),
    /** For so long the job in batches is watched, or to its end. */
    batchesMs: size(60_000, 5_000),
  },
  /** With 0 it runs for the seconds of a round. */
  pgbench: { transactionsEach: size(0, 2) },
  refresh: { rounds: size(5, 1), seconds: size(4, 0.3), warmUpSeconds: size(1, 0.1) },
  /** A million takes a quarter of an hour, most of it for making them searchable. */
  search: { contacts: size(200_000, 2_000, 'SEARCH_CONTACTS'), rounds: size(20, 2) },
  segments: {
    contacts: size(1_000_000, 2_000, 'SEGMENT_CONTACTS'),
    runs: size(5, 1),
    pages: size(40, 2),
  },
  sendBatch: {
    rounds: size(3, 1),
    batches: size(10, 1, 'BATCHES'),
    mails: size(500, 10),
    alone: size(50, 2),
  },
  /** `SEQUENCES_INSIDE=1000000 SEQUENCES_DUE=100000 SEQUENCES_CAMPAIGN=100000` for the whole. */
  sequences: {
    inside: size(200_000, 400, 'SEQUENCES_INSIDE'),
    due: size(20_000, 40, 'SEQUENCES_DUE'),
    warmUp: size(1_000, 20),
    neighbourSeconds: size(20, 1),
    burst: { seconds: size(5, 1), events: size(10_000, 50) },
    besideCampaign: { contacts: size(20_000, 200, 'SEQUENCES_CAMPAIGN'), seconds: size(30, 2) },
  },
  smsSmpp: { rounds: size(3, 1), texts: size(3_000, 40) },
  start: { laterStarts: size(3, 1) },
  streams: {
    contacts: size(100_000, 300, 'STREAMS_SIZE'),
    seconds: size(45, 2, 'STREAMS_SECONDS'),
    warmUpSeconds: size(5, 1),
  },
  year: {
    /** `YEAR_MAILS=1000000` for a tenth of ten million a month. */
    mails: size(100_000, 200, 'YEAR_MAILS'),
    contacts: size(30_000, 100, 'YEAR_CONTACTS'),
    months: size(13, 3),
    /** People of the campaign that is sent after the first month and after the last. */
    readers: size(20_000, 50),
    historyMonths: size(12, 2),
    callers: size(8, 2),
    quietMs: size(20_000, 500),
  },
  webhooks: {
    rounds: size(3, 1),
    seconds: size(3, 0.3),
    events: size(1_200, 20),
    fannedOut: size(10_000, 100),
    retries: { few: size(1_000, 100), many: size(1_000_000, 1_000) },
    claims: size(100, 5),
  },
} as const
