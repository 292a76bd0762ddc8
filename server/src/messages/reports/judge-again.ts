/**
 * Judges suppressions of an earlier rule once more. Until release 1.2.0 a status such as 5.1.1
 * suppressed the recipient whatever the server's words were. A migration put those suppressions
 * into `bounce_reviews`; this job reads what the server said, lifts those that were about the
 * sender, a quota or a rate, and notes those whose words are gone as not judgeable, for the owner.
 */

import { liftBounce } from '../../contacts/suppressions/lift.ts'
import { suppressionIdOf } from '../../contacts/suppressions/suppression.ts'
import type { Id } from '../../core/ids.ts'
import { type AuditEntry, recordAudit } from '../../events/audit.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import { classify } from '../../lib/email/classify.ts'
import type { Log } from '../../lib/process/log.ts'
import type { Clock } from '../../lib/time/clock.ts'

/** Suppressions that one transaction judges. */
const batch = 1_000
/** Businesses of which one statement tells whether something waits. */
const businessesAtOnce = 1_000

/** For how long a message's event may lie beside the suppression that it made. */
const besideMs = 60_000

export interface JudgementCounts {
  lifted: number
  stands: number
  not_judgeable: number
}

/** Goes over all that wait. A run that was cut short goes on where it was. */
export async function judgeAgain(
  { db, clock, log }: { db: Database; clock: Clock; log: Log },
  signal: AbortSignal,
): Promise<JudgementCounts> {
  const sum: JudgementCounts = { lifted: 0, stands: 0, not_judgeable: 0 }
  let after: Id<'business'> | undefined
  while (!signal.aborted) {
    const page = await listBusinesses(db, after, businessesAtOnce)
    if (page.length === 0) break
    after = page.at(-1)
    for (const businessId of await withWaiting(db, page)) {
      await judgeBusiness({ db, clock }, { businessId, sum }, signal)
    }
  }
  if (sum.lifted + sum.stands + sum.not_judgeable > 0) log.info(sum, 'bounces.judged-again')
  return sum
}

async function judgeBusiness(
  { db, clock }: { db: Database; clock: Clock },
  { businessId, sum }: { businessId: Id<'business'>; sum: JudgementCounts },
  signal: AbortSignal,
): Promise<void> {
  let count = batch
  while (count === batch && !signal.aborted) {
    const judged = await db.tx((tx) => judgeBatch(tx, businessId, clock.now()))
    sum.lifted += judged.lifted
    sum.stands += judged.stands
    sum.not_judgeable += judged.not_judgeable
    count = judged.lifted + judged.stands + judged.not_judgeable
  }
}

async function judgeBatch(tx: Tx, businessId: Id<'business'>, now: Date): Promise<JudgementCounts> {
  const waiting = await lockWaiting(tx, businessId, batch)
  const marks = waiting.map(({ mark }) => mark)
  const answers = new Map(
    (await findAnswers(tx, businessId, marks)).map((answer) => [
      answer.mark.toString('hex'),
      answer,
    ]),
  )
  const lifted: Buffer[] = []
  const standing: Buffer[] = []
  const unclear: Buffer[] = []
  for (const { mark, source } of waiting) {
    const answer = answers.get(mark.toString('hex'))
    // It was lifted meanwhile, or another reason stands in its place.
    if (source === null) standing.push(mark)
    else if (!answer?.words?.trim()) unclear.push(mark)
    else if (stands({ ...answer, words: answer.words }, source)) standing.push(mark)
    else lifted.push(mark)
  }
  for (const mark of lifted) await liftBounce(tx, businessId, mark, now)
  await recordAudit(
    tx,
    lifted.map((mark) => auditOf(businessId, mark)),
    now,
  )
  await endReviews(tx, businessId, { marks: lifted, outcome: 'lifted', now })
  await endReviews(tx, businessId, { marks: unclear, outcome: 'not_judgeable', now })
  await deleteReviews(tx, businessId, standing)
  return { lifted: lifted.length, stands: standing.length, not_judgeable: unclear.length }
}

interface Answer {
  code: string | null
  words: string
  /** Whether the message bounced. Others made an address reach the limit of soft bounces. */
  isBounced: boolean
}

/**
 * Whether the suppression stands. A provider that reports by HTTP may know an address to be
 * invalid although the words do not say so.
 */
function stands({ code, words, isBounced }: Answer, source: string): boolean {
  if (!isBounced) return true
  const reply = Number(words.slice(0, 3))
  const { kind } = classify({
    action: 'failed',
    status: code ?? undefined,
    code: reply >= 200 ? reply : undefined,
    text: words,
  })
  return kind === 'hard' || (kind === 'unknown' && source.startsWith('provider'))
}

function auditOf(businessId: Id<'business'>, mark: Buffer): AuditEntry {
  const reason = 'Judged again: the reply was not about the address.'
  const subject = suppressionIdOf(mark)
  return { businessId, action: 'suppression.lift', subject, details: { reason, channel: 'email' } }
}

async function listBusinesses(
  db: Db,
  after: Id<'business'> | undefined,
  limit: number,
): Promise<Id<'business'>[]> {
  const rows = await db.all<{ id: Id<'business'> }>(sql`
    select id from businesses where ${after ?? null}::uuid is null or id > ${after ?? null}
    order by id limit ${limit}
  `)
  return rows.map(({ id }) => id)
}

async function withWaiting(
  db: Db,
  businessIds: readonly Id<'business'>[],
): Promise<Id<'business'>[]> {
  const rows = await db.all<{ businessId: Id<'business'> }>(sql`
    select distinct business_id as "businessId" from bounce_reviews
    where business_id = any(${[...businessIds]}::uuid[]) and outcome is null
  `)
  return rows.map(({ businessId }) => businessId)
}

/** What waits, with the source of the suppression if that is still the same. */
function lockWaiting(
  tx: Tx,
  businessId: Id<'business'>,
  limit: number,
): Promise<{ mark: Buffer; source: string | null }[]> {
  return tx.all(sql`
    select r.address_hmac as mark, (
      select s.source from suppressions s
      where s.business_id = ${businessId} and s.channel = 'email'
        and s.address_hmac = r.address_hmac and s.reason = 'bounce'
        and s.created_at = r.suppressed_at
    ) as source
    from bounce_reviews r
    where r.business_id = ${businessId} and r.outcome is null
    order by r.address_hmac limit ${limit}
    for update of r skip locked
  `)
}

/** The answers of servers that made these suppressions. */
function findAnswers(
  tx: Tx,
  businessId: Id<'business'>,
  marks: readonly Buffer[],
): Promise<(Omit<Answer, 'words'> & { mark: Buffer; words: string | null })[]> {
  return tx.all(sql`
    select distinct on (r.address_hmac) r.address_hmac as mark, e.code, e.words,
      m.state = 'bounced' as "isBounced"
    from messages m
    join bounce_reviews r on r.business_id = ${businessId} and r.address_hmac = m.recipient_mark
    join message_events e on e.business_id = ${businessId} and e.message_id = m.id
      and e.type = 'bounced'
      and e.created_at between r.suppressed_at - ${besideMs}::integer * interval '1 ms'
        and r.suppressed_at + ${besideMs}::integer * interval '1 ms'
    where m.business_id = ${businessId} and m.channel = 'email'
      and m.state in ('bounced', 'failed')
      and m.recipient_mark = any(${[...marks]}::bytea[])
    order by r.address_hmac, e.created_at <> r.suppressed_at, e.created_at
  `)
}

function endReviews(
  tx: Tx,
  businessId: Id<'business'>,
  {
    marks,
    outcome,
    now,
  }: { marks: readonly Buffer[]; outcome: 'lifted' | 'not_judgeable'; now: Date },
): Promise<number> {
  return tx.run(sql`
    update bounce_reviews set outcome = ${outcome}, reviewed_at = ${now}
    where business_id = ${businessId} and address_hmac = any(${[...marks]}::bytea[])
  `)
}

function deleteReviews(
  tx: Tx,
  businessId: Id<'business'>,
  marks: readonly Buffer[],
): Promise<number> {
  return tx.run(sql`
    delete from bounce_reviews
    where business_id = ${businessId} and address_hmac = any(${[...marks]}::bytea[])
  `)
}
