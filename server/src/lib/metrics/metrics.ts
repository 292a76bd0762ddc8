/** The metrics of this process as Prometheus text, and the installation's, equal on every node. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { PoolUse } from '../db/types.ts'
import { onEnded } from '../observing/observed.ts'

/** Metrics that are read from the database and the disk at a scrape. */
export interface InstallationFigures {
  workers: number
  /** By kind, the seconds for which the oldest due job has waited. */
  oldestSeconds: Readonly<Record<string, number>>
  /** Jobs that wait, by kind, those for times to come included; undefined where they are too many to count. */
  depths?: Readonly<Record<string, number>>
  /** The number of dead jobs by kind. */
  dead: Readonly<Record<string, number>>
  isSendingPaused: boolean
  /** Undefined where this installation makes no backups, or has not made one yet. */
  backupAgeSeconds: number | undefined
  /** Whether the tools of a server of the operator's own make the backups (BACKUP_STAMP). */
  isBackupStamped?: boolean
  /** How long this process has run without finding a backup, where there should be one. */
  withoutBackupSeconds?: number | undefined
  /** Backups that failed their verification; undefined where this installation makes none. */
  backupsFailed?: number
  /** Since when the oldest file of the database's log waits to be sent to the bucket of backups. */
  archiveBehindSeconds?: number | undefined
  diskFreeBytes: number
  /** Statements about the past volume of domains that wait for the operator. */
  volumesWaiting?: number
  /** By partitioned table, how many partitions have been created for times to come. */
  partitionsAhead: Readonly<Record<string, number>>
  /** Campaigns that are planned or under way, by state. */
  campaigns?: Readonly<Record<string, number>>
  /** Automations that run, are paused or wait for a person, by state. */
  automations?: Readonly<Record<string, number>>
  databaseBytes?: number
  /** Jobs in the queue, those for times to come included, as the planner estimates them. */
  queueJobs?: number
}

/** What this process holds and has refused. */
export interface ProcessFigures {
  pool: PoolUse
  /** The shards of the queue that its worker serves. */
  shards: number
  /** Requests refused by the limits of requests a minute, by what was limited. */
  rateRefusals: Readonly<Record<string, number>>
  /** Such as 1.1.0. */
  release?: string
  /** Since the ledger of opt-outs was last complete; undefined where this process keeps none. */
  ledgerBehindSeconds?: number | undefined
  /** For how long the certificate of submitted mail is valid; undefined where there is none. */
  certificateSeconds?: number | undefined
}

/** What a relay has done since the start of this process. */
export interface RelayFigures {
  name: string
  /** Messages by result, and connections that could not be opened. */
  results: ReadonlyMap<string, number>
  /** Whether it is left out at this moment because it failed. */
  isAway: boolean
}

export interface MetricSources {
  figures(): Promise<InstallationFigures>
  /** Whether the database accepts writes now. */
  databaseWorks(): Promise<boolean>
  /** The relays of this process. */
  relays(): RelayFigures[]
  own(): ProcessFigures
}

export interface Metrics {
  /** Counts a call by its operation and by `ok` or the code of its refusal. */
  called(operation: string, outcome: string, seconds: number): void
  /** The text of a scrape. */
  print(): Promise<string>
  readonly contentType: string
}

/** No label contains the name of a business, a person or an address. */
export function createMetrics({ figures, databaseWorks, relays, own }: MetricSources): Metrics {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  countWork(registry)
  const refreshOwn = ownGauges(registry)
  const registers = [registry]
  const requests = new Counter({
    name: 'crier_requests_total',
    help: 'Calls by operation and outcome: ok, or the code of the refusal.',
    labelNames: ['operation', 'outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'crier_request_seconds',
    help: 'How long calls took, by operation.',
    labelNames: ['operation'],
    buckets,
    registers,
  })
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers })
  const gauges = {
    up: gauge('crier_figures_up', '1 where the database answered this scrape.'),
    works: gauge('crier_database_works', '1 while the database accepts writes.'),
    workers: gauge('crier_workers', 'Workers alive in the installation.'),
    oldest: gauge('crier_queue_oldest_seconds', 'How long the oldest due job waits.', ['kind']),
    depth: gauge(
      'crier_queue_depth',
      'Jobs that wait, counted, those of later times included; absent above 500,000 jobs.',
      ['kind'],
    ),
    dead: gauge('crier_queue_dead', 'Dead jobs, which are no longer tried.', ['kind']),
    paused: gauge('crier_sending_paused', '1 while sending waits for a person after a restore.'),
    backupAge: gauge(
      'crier_backup_age_seconds',
      'Since the newest good backup was begun, or this process, if there is none.',
    ),
    backupsFailed: gauge('crier_backups_failed', 'Backups that failed their verification.'),
    disk: gauge('crier_disk_free_bytes', 'Room that is left on the disk of DATA_DIR.'),
    ahead: gauge('crier_partitions_ahead', 'Partitions created for times to come.', ['table']),
    archiveBehind: gauge(
      'crier_archive_behind_seconds',
      'Since when the oldest file of the log of the database waits to be archived; 0 if none does.',
    ),
    database: gauge('crier_database_bytes', 'Size of the database. Its growth: deriv() of it.'),
    campaigns: gauge('crier_campaigns', 'Campaigns that are planned or under way, by state.', [
      'state',
    ]),
    automations: gauge(
      'crier_automations',
      'Automations that run, are paused or wait for a person, by state.',
      ['state'],
    ),
    jobs: gauge('crier_queue_jobs', 'Jobs in the queue, estimated, those of later times included.'),
  }
  const sent = new Counter({
    name: 'crier_relay_messages_total',
    help: 'Mail by relay and result, and connections that could not be opened (unreachable).',
    labelNames: ['relay', 'result'],
    registers,
  })
  const relayUp = gauge(
    'crier_relay_up',
    '0 after a relay failed, until it answers a mail again.',
    ['relay'],
  )
  const refreshRelays = (): void => {
    sent.reset()
    for (const { name: relay, results, isAway } of relays()) {
      relayUp.set({ relay }, isAway ? 0 : 1)
      for (const [result, messages] of results) sent.inc({ relay, result }, messages)
    }
  }
  const refresh = async (): Promise<void> => {
    refreshRelays()
    refreshOwn(own())
    for (const gauge of [
      gauges.oldest,
      gauges.depth,
      gauges.dead,
      gauges.backupAge,
      gauges.backupsFailed,
      gauges.ahead,
    ])
      gauge.reset()
    gauges.backupAge.remove()
    gauges.backupsFailed.remove()
    // Both at once: Prometheus gives up on a scrape, and an alert is wanted most when they hang.
    const works = inTime(databaseWorks())
    const reading = inTime(figures())
    reading.catch(() => undefined)
    gauges.works.set((await works.catch(() => false)) ? 1 : 0)
    try {
      const now = await reading
      gauges.up.set(1)
      gauges.workers.set(now.workers)
      gauges.paused.set(now.isSendingPaused ? 1 : 0)
      gauges.disk.set(now.diskFreeBytes)
      const backupAge = now.backupAgeSeconds ?? now.withoutBackupSeconds
      if (backupAge !== undefined) gauges.backupAge.set(backupAge)
      if (now.backupsFailed !== undefined) gauges.backupsFailed.set(now.backupsFailed)
      for (const [kind, age] of Object.entries(now.oldestSeconds)) gauges.oldest.set({ kind }, age)
      for (const [kind, jobs] of Object.entries(now.depths ?? {})) gauges.depth.set({ kind }, jobs)
      for (const [kind, jobs] of Object.entries(now.dead)) gauges.dead.set({ kind }, jobs)
      for (const [table, n] of Object.entries(now.partitionsAhead)) gauges.ahead.set({ table }, n)
      gauges.archiveBehind.set(now.archiveBehindSeconds ?? 0)
      if (now.databaseBytes !== undefined) gauges.database.set(now.databaseBytes)
      for (const [state, n] of Object.entries(now.campaigns ?? {})) {
        gauges.campaigns.set({ state }, n)
      }
      for (const [state, n] of Object.entries(now.automations ?? {})) {
        gauges.automations.set({ state }, n)
      }
      if (now.queueJobs !== undefined) gauges.jobs.set(now.queueJobs)
    } catch {
      gauges.up.set(0)
    }
  }
  return {
    called(operation, outcome, took) {
      requests.inc({ operation, outcome })
      seconds.observe({ operation }, took)
    },
    async print() {
      await refresh()
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}

/** A database that is away may let a query hang for a minute. */
const patienceMs = 800

function inTime<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error('the database did not answer in time')),
    patienceMs,
  )
  return Promise.race([work, promise]).finally(() => clearTimeout(timer))
}

/** The figures that each node has for itself, set at each scrape. */
function ownGauges(registry: Registry): (own: ProcessFigures) => void {
  const registers = [registry]
  const connections = new Gauge({
    name: 'crier_pool_connections',
    help: 'Connections to the database by state: busy or idle.',
    labelNames: ['state'],
    registers,
  })
  const waiting = new Gauge({
    name: 'crier_pool_waiting',
    help: 'Callers that wait for a connection to the database.',
    registers,
  })
  const waited = new Counter({
    name: 'crier_pool_wait_seconds_total',
    help: 'How long callers together have waited for a connection.',
    registers,
  })
  const shards = new Gauge({
    name: 'crier_shards_held',
    help: 'Shards of the queue that this process serves; all processes together serve 256.',
    registers,
  })
  const refused = new Counter({
    name: 'crier_rate_refusals_total',
    help: 'Requests over a limit of requests a minute, by what it limits: token or connection.',
    labelNames: ['limit'],
    registers,
  })
  const info = new Gauge({
    name: 'crier_info',
    help: '1, with the release of this process.',
    labelNames: ['release'],
    registers,
  })
  const ledgerBehind = new Gauge({
    name: 'crier_ledger_behind_seconds',
    help: 'Since the ledger of opt-outs was last complete; 0 where this process keeps none.',
    registers,
  })
  const certificate = new Gauge({
    name: 'crier_certificate_seconds',
    help: 'For how long the certificate of submitted mail is still valid; absent without SUBMISSION_PORT.',
    registers,
  })
  return (own) => {
    const { pool, shards: shardCount, rateRefusals, release, ledgerBehindSeconds = 0 } = own
    certificate.remove()
    if (own.certificateSeconds !== undefined) certificate.set(own.certificateSeconds)
    if (release !== undefined) info.set({ release }, 1)
    ledgerBehind.set(ledgerBehindSeconds)
    connections.set({ state: 'busy' }, pool.busy)
    connections.set({ state: 'idle' }, pool.idle)
    waiting.set(pool.waiting)
    shards.set(shardCount)
    waited.reset()
    waited.inc(pool.waitedSeconds)
    refused.reset()
    for (const [limit, requests] of Object.entries(rateRefusals)) refused.inc({ limit }, requests)
  }
}

/** Seconds: from a response out of memory to a wait that a person gives up on. */
export const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export function countWork(registry: Registry): void {
  const registers = [registry]
  const of = (name: string, help: string, labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers })
  const timesOf = (name: string, help: string, labelNames: string[]) =>
    new Histogram({ name, help, labelNames, buckets, registers })
  const sends = of(
    'crier_sends_total',
    'Attempts to send a message by channel and result: accepted, deferred, refused, untouched, unclear or error.',
    ['channel', 'result'],
  )
  const sendSeconds = timesOf('crier_send_seconds', 'How long attempts to send took.', ['channel'])
  const attempts = of(
    'crier_webhook_attempts_total',
    'Attempts to deliver an event by result: delivered, failed (the receiver answered otherwise), or why there was no answer.',
    ['result'],
  )
  const attemptSeconds = timesOf('crier_webhook_seconds', 'How long receivers took.', [])
  const reports = of(
    'crier_reports_total',
    'Reports about accepted messages by event: delivered, deferred, bounced, complained, unsubscribed, opened or clicked.',
    ['event'],
  )
  onEnded(({ kind, name: channel, result, seconds }) => {
    if (kind === 'send') {
      sends.inc({ channel, result })
      sendSeconds.observe({ channel }, seconds)
    } else if (kind === 'report') {
      reports.inc({ event: channel })
    } else {
      attempts.inc({ result })
      attemptSeconds.observe(seconds)
    }
  })
}
