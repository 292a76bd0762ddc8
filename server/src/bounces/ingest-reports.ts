/**
 * Processes each report of a remote server once, with all consequences in the same transaction. All
 * reports pass through here, both notifications by mail and events by HTTP.
 */

import { limits } from '../config.ts'
import { stopAtProvider } from '../contacts/consent/text-consent.ts'
import { unsubscribeAddress } from '../contacts/consent/unsubscribe-address.ts'
import { markOf, type NewSuppression, suppress } from '../contacts/suppressions/suppression.ts'
import { formatId, type Id } from '../core/ids.ts'
import { isSimulated } from '../core/inbox/simulated-address.ts'
import { sha256, type Vault } from '../lib/crypto/vault.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { refusesSender, type Verdict } from '../lib/email/classify.ts'
import type { JobKinds } from '../lib/jobs/job.ts'
import { countReport } from '../lib/observing/observed.ts'
import { type Clock, days, hours, later } from '../lib/time/clock.ts'
import type { MessageReport } from '../messages/reports/reports.ts'
import type { MessageFacts, Messages } from './message-lookup.ts'
import type { Report } from './report.ts'

export interface FeedbackDeps {
  db: Database
  vault: Pick<Vault, 'hmac'>
  messages: Messages
}

/** The most characters of a remote server's words that are stored. */
const wordsLength = 500

/** A report with its message, and the identity that its copies share. */
interface ReportOnMessage {
  report: Report
  message: MessageFacts
  identity: Buffer
}

/** Returns how many of the reports were new. Reports on deleted messages do not count. */
export function ingestReports(deps: FeedbackDeps, reports: Report[], now: Date): Promise<number> {
  return deps.db.tx((tx) => ingestReportsIn(tx, deps, reports, now))
}

/** Does the same in a transaction that is open already. */
export async function ingestReportsIn(
  tx: Tx,
  deps: Omit<FeedbackDeps, 'db'>,
  reports: Report[],
  now: Date,
): Promise<number> {
  if (reports.length === 0) return 0
  const entries = await aboutOurs(tx, deps.messages, reports)
  const ours = new Set(entries.map(({ report }) => report))
  const others = reports.filter((entry) => !ours.has(entry))
  const answers = others.length > 0 ? await deps.messages.noteAnswers(tx, others, now) : 0
  const fresh = await insertReports(tx, entries.map(rowOf), now)
  const marks = new Set(fresh.map(({ identity }) => identity.toString('hex')))
  const news = entries.filter(({ identity }) => marks.delete(identity.toString('hex')))
  if (news.length > 0) await act(tx, deps, news, now)
  for (const { report } of news) countReport(report.event)
  return news.length + answers
}

interface ReportRow {
  businessId: Id<'business'>
  identity: Buffer
}

/** Inserts reports, and returns the new ones. A report that was processed before is ignored. */
function insertReports(tx: Tx, rows: ReportRow[], now: Date): Promise<{ identity: Buffer }[]> {
  return tx.all(sql`
    insert into delivery_reports (business_id, identity, created_at)
    select business_id, identity, ${now}
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[], ${rows.map((row) => row.identity)}::bytea[]
    ) as new (business_id, identity)
    on conflict do nothing
    returning identity
  `)
}

/** Finds the reports on existing messages, sorted so that two transactions cannot deadlock. */
async function aboutOurs(
  tx: Tx,
  messages: Messages,
  reports: Report[],
): Promise<ReportOnMessage[]> {
  const rows = await messages.find(tx, [...new Set(reports.map(({ messageId }) => messageId))])
  const byId = new Map(rows.map((message) => [message.id, message]))
  return reports
    .flatMap((report) => {
      const message = byId.get(report.messageId)
      if (!message) return []
      return [{ report, message, identity: identityOf(report) }]
    })
    .toSorted((a, b) => Buffer.compare(a.identity, b.identity))
}

/**
 * Events that a message can have once, whoever reports them; other events count once per reporter.
 */
const once: readonly Report['event'][] = ['delivered', 'bounced', 'complained']

function identityOf({ messageId, event, source, identity }: Report): Buffer {
  const parts = once.includes(event) ? [messageId, event] : [messageId, event, source, identity]
  return sha256(parts.join('\n')).subarray(0, 16)
}

const rowOf = ({ message, identity }: ReportOnMessage) => ({
  businessId: message.businessId,
  identity,
})

async function act(
  tx: Tx,
  deps: Omit<FeedbackDeps, 'db'>,
  all: ReportOnMessage[],
  now: Date,
): Promise<void> {
  const overLimit = await reportsOverLimit(tx, deps, all, now)
  const suppressions = all.flatMap((entry) => suppressionFor(entry, overLimit))
  await suppress(tx, deps.vault.hmac, suppressions, now)
  const repeated = await applyOptOuts(tx, deps, all, now)
  for (const { report, message } of all) {
    const refusal = refusalOfSender(report)
    if (refusal && !isSimulated(message.to))
      await deps.messages.pauseStream(tx, message, now, refusal.missing)
  }
  await deps.messages.recordReports(
    tx,
    all.filter((entry) => !repeated.has(entry)).map((entry) => newsOf(entry, overLimit)),
    now,
  )
}

/**
 * Records that people unsubscribed, or sent STOP, at the provider. Returns the reports of people who
 * had unsubscribed already, which are no news.
 */
async function applyOptOuts(
  tx: Tx,
  { vault: { hmac } }: Pick<FeedbackDeps, 'vault'>,
  all: ReportOnMessage[],
  now: Date,
): Promise<ReadonlySet<ReportOnMessage>> {
  const repeated = new Set<ReportOnMessage>()
  // In one order everywhere, so that two transactions cannot deadlock.
  for (const entry of all.filter(isOptOut).toSorted(byAddress)) {
    const { report, message } = entry
    const { businessId, contactId, channel, to, senderDomain } = message
    const source = `${report.source}, ${formatId('message', message.id)}`
    const text = report.words.slice(0, wordsLength)
    const evidence = { source, ...(text !== '' && { text }) }
    if (report.event !== 'unsubscribed') {
      const stop = { businessId, phone: to, sender: senderDomain ?? '', evidence }
      if (channel === 'sms') await stopAtProvider(tx, hmac, stop, now)
      continue
    }
    const departure = { businessId, contactId, email: to, evidence: { ...evidence, at: report.at } }
    const isNews = channel === 'email' && (await unsubscribeAddress(tx, hmac, departure, now))
    if (!isNews) repeated.add(entry)
  }
  return repeated
}

const isOptOut = ({ report }: ReportOnMessage) =>
  report.event === 'unsubscribed' || ('hasStopped' in report && report.hasStopped === true)

function byAddress({ message: a }: ReportOnMessage, { message: b }: ReportOnMessage): number {
  return `${a.businessId} ${a.to}` < `${b.businessId} ${b.to}` ? -1 : 1
}

/**
 * Counts soft bounces, and returns the reports with which an address reached the limit of
 * consecutive ones. A sign of life resets the count.
 */
async function reportsOverLimit(
  tx: Tx,
  { vault }: Pick<FeedbackDeps, 'vault'>,
  all: ReportOnMessage[],
  now: Date,
): Promise<ReadonlySet<ReportOnMessage>> {
  const mark = ({ message }: ReportOnMessage) => ({
    businessId: message.businessId,
    mark: markOf(vault.hmac, message.businessId, message.to),
  })
  const alive = all.filter(({ report }) => isSignOfLife(report))
  if (alive.length > 0) await forgetSoftBounces(tx, alive.map(mark))
  const overLimit = new Set<ReportOnMessage>()
  for (const entry of all.filter(countsAsSoft)) {
    const { count } = await countSoftBounces(tx, mark(entry), now)
    if (count >= limits.softBounces) overLimit.add(entry)
  }
  return overLimit
}

interface Address {
  businessId: Id<'business'>
  /** The address hash that suppressions use. */
  mark: Buffer
}

/** Counts one more consecutive soft bounce, and returns the count. */
function countSoftBounces(
  tx: Tx,
  { businessId, mark }: Address,
  now: Date,
): Promise<{ count: number }> {
  return tx.one(sql`
    insert into soft_bounces as seen (business_id, address_hmac, count, last_at)
    values (${businessId}, ${mark}, 1, ${now})
    on conflict (business_id, address_hmac) do update
    set count = seen.count + 1, last_at = excluded.last_at
    returning count
  `)
}

function forgetSoftBounces(tx: Tx, addresses: Address[]): Promise<number> {
  return tx.run(sql`
    delete from soft_bounces using unnest(
      ${addresses.map((address) => address.businessId)}::uuid[],
      ${addresses.map((address) => address.mark)}::bytea[]
    ) as alive (business_id, mark)
    where soft_bounces.business_id = alive.business_id and soft_bounces.address_hmac = alive.mark
  `)
}

/** A sender that lacks something is refused until it has it, also where the refusal is for now. */
function refusalOfSender(report: Report): Verdict | undefined {
  if (!('verdict' in report)) return undefined
  const { verdict } = report
  const isLasting = verdict.final || (verdict.missing ?? []).length > 0
  return isLasting && refusesSender(verdict) ? verdict : undefined
}

function isSignOfLife(report: Report): boolean {
  if (report.event === 'opened' || report.event === 'clicked') return !report.machine
  return report.event === 'delivered'
}

const countsAsSoft = ({ report, message }: ReportOnMessage) =>
  isSoftFailure(report) && !isSimulated(message.to)

/** A message that was throttled until it expired proves nothing about the recipient. */
function isSoftFailure(report: Report): boolean {
  if (report.event !== 'bounced') return false
  const { kind, slower } = report.verdict
  return kind === 'soft' && !slower
}

function suppressionFor(
  entry: ReportOnMessage,
  overLimit: ReadonlySet<ReportOnMessage>,
): NewSuppression[] {
  const { report, message } = entry
  const { businessId, channel, to: address } = message
  if (isSimulated(address)) return []
  const item = { businessId, channel, address, source: report.source }
  if (report.event === 'complained') return [{ ...item, reason: 'complaint' }]
  return isEndOf(entry, overLimit) ? [{ ...item, reason: 'bounce' }] : []
}

function isEndOf(entry: ReportOnMessage, overLimit: ReadonlySet<ReportOnMessage>): boolean {
  const { report } = entry
  if (isSimulated(entry.message.to)) return false
  return overLimit.has(entry) || (report.event === 'bounced' && report.verdict.kind === 'hard')
}

function newsOf(entry: ReportOnMessage, overLimit: ReadonlySet<ReportOnMessage>): MessageReport {
  const { report, message, identity } = entry
  const words = report.words.slice(0, wordsLength)
  const status = 'verdict' in report ? report.verdict.status : undefined
  return {
    businessId: message.businessId,
    messageId: message.id,
    event: report.event,
    at: report.at,
    source: `${report.source} ${identity.toString('hex')}`,
    ...(words !== '' && { text: words }),
    ...(status !== undefined && { code: status }),
    ...(report.event === 'bounced' && {
      bounce: { kind: report.verdict.kind, suppressed: isEndOf(entry, overLimit) },
    }),
    ...('machine' in report && { machine: report.machine }),
    ...('url' in report && report.url !== undefined && { url: report.url }),
  }
}

/** Longer than any server retries to send a report (RFC 5321: days). */
const reportsKeptFor = days(90)
/** Soft bounces further apart are not consecutive. */
const softBouncesKeptFor = days(180)

export function reportJobs({ db, clock }: { db: Db; clock: Clock }): JobKinds {
  return {
    'feedback.sweep': {
      everyMs: hours(1),
      async run() {
        const now = clock.now()
        await deleteReports(db, later(now, -reportsKeptFor))
        await deleteSoftBounces(db, later(now, -softBouncesKeptFor))
      },
    },
  }
}

function deleteReports(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from delivery_reports where created_at < ${before}`)
}

/** Deletes the counts of addresses whose last failure is older than `before`. */
function deleteSoftBounces(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from soft_bounces where last_at < ${before}`)
}
