/**
 * Deletes people nobody wrote to or heard from. An opt-out is remembered: the hash of the address
 * is suppressed as `unsubscribed`, so that no import brings them back.
 */
import type { Batch, RetainedData } from '../accounts/businesses/retention.ts'
import { type Id, lowestIdAt } from '../core/ids.ts'
import { replanned, sql, sqlWithin } from '../lib/db/db.ts'
import type { Db, Sql, Tx } from '../lib/db/types.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { lockStandingCounters, release } from '../usage/reserve.ts'
import { type ContactValues, channels } from './contact.ts'
import {
  announceErased,
  deleteHistory,
  endContacts,
  forgetJob,
  idsMergedInto,
  insertGone,
  type ToForget,
} from './erase.ts'
import { type NewSuppression, suppress } from './suppressions/suppression.ts'

export const retainedContacts: RetainedData = {
  kind: 'contacts',

  count: (db, { businessId, before }, limit) =>
    countSilent(db, { businessId, before, below: lowestIdAt('contact', before), limit }),

  async deleteSome(tx, batch, now) {
    const { businessId, before, after, size } = batch
    // The lock prevents a new contact from getting an address that is about to become free.
    await lockStandingCounters(tx, [{ businessId, metric: 'contacts' }])
    const below = lowestIdAt('contact', before)
    const { silent, last, looked } = await lockSilent(tx, {
      businessId,
      before,
      below,
      after,
      size,
    })
    if (silent.length > 0) await end(tx, batch, { silent, now })
    return { count: silent.length, next: looked < size ? null : last }
  },
}

async function end(
  tx: Tx,
  { businessId, hmac, before }: Batch,
  { silent, now }: { silent: readonly SilentContact[]; now: Date },
): Promise<void> {
  await suppress(tx, hmac, silent.flatMap(rememberedNo(businessId)), now)
  const ids = silent.map(({ id }) => id)
  const contactIds = [...ids, ...(await idsMergedInto(tx, businessId, ids))]
  await deleteHistory(tx, businessId, contactIds)
  const amount = await endContacts(tx, businessId, ids)
  await insertGone(tx, businessId, ids, now)
  await announceErased(tx, { businessId, ids, reason: 'retention' }, now)
  await release(tx, [{ businessId, metric: 'contacts', amount }], now)
  // Without addresses: whoever signs up anew meanwhile is not meant.
  const silentSince = before.toISOString()
  const payload: ToForget = { businessId, contactIds, addresses: [], silentSince }
  // In a lane of its own, behind which no person waits who was erased.
  const lane = `retention ${businessId}`
  await enqueue(tx, [{ kind: forgetJob, businessId, lane, payload, priority: 'bulk' }], now)
}

/** An opt-out from a topic is remembered for the channel, because no topic can be stored for it. */
const rememberedNo =
  (businessId: Id<'business'>) =>
  (contact: SilentContact): NewSuppression[] =>
    channels.flatMap((channel) => {
      const address = channel === 'email' ? contact.email : contact.phone
      const statuses = [contact.consent[channel], ...Object.values(contact.topics[channel] ?? {})]
      if (address === null || !statuses.includes('unsubscribed')) return []
      return [{ businessId, channel, address, reason: 'unsubscribed', source: 'retention' }]
    })

interface Old {
  businessId: Id<'business'>
  before: Date
  /** An id above those of contacts created before `before`, and of other rows that are older. */
  below: string
}

interface SilentContact extends Pick<ContactValues, 'email' | 'phone' | 'topics'> {
  id: Id<'contact'>
  consent: ContactValues['consent']
}

/**
 * Whether a contact `c` had no message, no activity, no word on consent and no change since then.
 * @param each Keeps each question to its index: without it they may be answered for all contacts
 * of the business at once, which a batch of them does not need.
 */
function silentClause({ businessId, before, below }: Old, each = sql``): Sql {
  return sqlWithin`(c.updated_at < ${before}
    and not exists (
      select from messages where business_id = ${businessId} and contact_id = c.id
        and (id >= ${below} or state in ('scheduled', 'queued', 'attempting', 'deferred')) ${each})
    and not exists (
      select from contact_activity where business_id = ${businessId} and contact_id = c.id
        and id >= ${below} ${each})
    and not exists (
      select from consent_events where business_id = ${businessId} and contact_id = c.id
        and id >= ${below} ${each})
    and not exists (
      select from own_events where business_id = ${businessId} and contact_id = c.id
        and id >= ${below} ${each})
    and not exists (
      select from contact_past where business_id = ${businessId} and contact_id = c.id
        and last_at >= ${before} ${each}))`
}

/** How many contacts the count examines, the oldest first. */
const lookedAt = 200_000

async function countSilent(db: Db, old: Old & { limit: number }): Promise<number> {
  const { n } = await db.one<{ n: number }>(
    replanned(sqlWithin`
      select count(*)::int as n from (
        select from (
          select id, updated_at from contacts
          where business_id = ${old.businessId} and id < ${old.below}
          order by id limit ${lookedAt}
        ) c
        where ${silentClause(old)} limit ${old.limit}
      ) silent
    `),
  )
  return n
}

/** Locks the next contacts; returns the silent ones, and how many were examined. */
async function lockSilent(
  tx: Tx,
  { after, size, ...old }: Old & { after: string | null; size: number },
): Promise<{ silent: SilentContact[]; looked: number; last: string | null }> {
  const rows = await tx.all<SilentContact & { isSilent: boolean }>(
    replanned(sqlWithin`
      with looked as materialized (
        select id, email, phone, topics, email_consent, sms_consent, updated_at
        from contacts
        where business_id = ${old.businessId} and id < ${old.below}
          and id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
        order by id limit ${size} for update
      )
      select c.id, c.email, c.phone, c.topics,
        json_build_object('email', c.email_consent, 'sms', c.sms_consent) as consent,
        ${silentClause(old, sql`offset 0`)} as "isSilent"
      from looked c
      order by c.id
    `),
  )
  return {
    silent: rows.filter((row) => row.isSilent),
    looked: rows.length,
    last: rows.at(-1)?.id ?? null,
  }
}

export const retainedEvidence: RetainedData = {
  kind: 'evidence',

  count: (db, { businessId, before }, limit) =>
    countTraced(db, { businessId, below: lowestIdAt('consent', before), limit }),

  async deleteSome(tx, { businessId, before, size }) {
    const below = lowestIdAt('consent', before)
    const query = { businessId, below, limit: size }
    const ledger = await blankEvidence(tx, query)
    const confirmations = await blankConfirmations(tx, query)
    // A blanked row is not found again, so each batch begins again at the oldest row.
    const isLast = ledger < size && confirmations < size
    return { count: ledger + confirmations, next: isLast ? null : below }
  },
}

interface OldEvidence {
  businessId: Id<'business'>
  /** An id above those of older rows of the ledger and of confirmations. */
  below: string
  limit: number
}

async function countTraced(db: Db, { businessId, below, limit }: OldEvidence): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select least(${limit}::int, (
      select count(*) from (
        select from consent_events
        where business_id = ${businessId} and id < ${below}
          and (ip is not null or agent is not null)
        limit ${limit}
      ) ledger
    ) + (
      select count(*) from (
        select from confirmations
        where business_id = ${businessId} and id < ${below}
          and (ip is not null or agent is not null or confirmed_ip is not null
            or confirmed_agent is not null)
        limit ${limit}
      ) asked
    ))::int as n
  `)
  return n
}

function blankEvidence(tx: Tx, { businessId, below, limit }: OldEvidence): Promise<number> {
  return tx.run(sql`
    update consent_events set ip = null, agent = null
    where business_id = ${businessId} and (contact_id, id) in (
      select contact_id, id from consent_events
      where business_id = ${businessId} and id < ${below}
        and (ip is not null or agent is not null)
      order by id limit ${limit}
    )
  `)
}

function blankConfirmations(tx: Tx, { businessId, below, limit }: OldEvidence): Promise<number> {
  return tx.run(sql`
    update confirmations set ip = null, agent = null, confirmed_ip = null, confirmed_agent = null
    where business_id = ${businessId} and id in (
      select id from confirmations
      where business_id = ${businessId} and id < ${below}
        and (ip is not null or agent is not null or confirmed_ip is not null
          or confirmed_agent is not null)
      order by id limit ${limit}
    )
  `)
}
