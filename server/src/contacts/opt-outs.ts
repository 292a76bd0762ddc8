/**
 * Every opt-out, in a form that can be stored outside the database and applied to an older copy of
 * it: suppressions, erasures, unsubscriptions, numbers that sent STOP, and businesses that were closed.
 */
import {
  applyClosing,
  type ClosingLine,
  closingLinesSince,
} from '../accounts/businesses/closing.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { changeConsent } from './consent/change-consent.ts'
import type { Channel, ConsentSubject } from './contact.ts'
import { eraseContact } from './erase.ts'
import { markAddresses } from './suppressions/hash-addresses.ts'
import { type ImportedReason, matchHashes, takeOver } from './suppressions/import.ts'
import { liftBounce } from './suppressions/lift.ts'
import { insertStopped } from './suppressions/stopped-numbers.ts'
import { insertSuppressions, markOf, type SuppressionReason } from './suppressions/suppression.ts'

/**
 * One line of the ledger, with the time at which the opt-out was stored. It holds no address: `mark` is a keyed hash,
 * in hex, or of `hashed` the SHA-256 that a list had in place of an address.
 */
export type OptOut = ClosingLine | AddressLine
type AddressLine = { at: string; mark: string } & (
  | { kind: 'suppressed'; business_id: string; channel: Channel; reason: SuppressionReason }
  | { kind: 'hashed'; business_id: string; reason: ImportedReason }
  | { kind: 'unsubscribed'; business_id: string; channel: ConsentSubject; topic: string | null }
  | { kind: 'stopped' }
  /** The suppression of the address was lifted, because it was for a refusal of the sender. */
  | { kind: 'lifted'; business_id: string }
)
type Hashed = Extract<OptOut, { kind: 'hashed' }>

/** Returns the opt-outs in the order in which they were written. */
export async function optOutsSince(db: Db, hmac: Hmac, since: Date): Promise<OptOut[]> {
  const [suppressed, unsubscribed, stopped, closings] = [
    await suppressedSince(db, since),
    await unsubscribedSince(db, since),
    await stoppedSince(db, since),
    await closingLinesSince(db, since),
  ]
  const all: OptOut[] = [
    ...suppressed.flatMap(linesOfSuppressed),
    ...unsubscribed.flatMap((contact) => {
      const mark = markOfContact(hmac, contact)
      if (!mark) return []
      const { channel, topic } = contact
      const business_id = formatId('business', contact.businessId)
      return [
        {
          ...lineBase(contact.at, mark),
          kind: 'unsubscribed' as const,
          business_id,
          channel,
          topic,
        },
      ]
    }),
    ...stopped.map(({ mark, at }) => ({ ...lineBase(at, mark), kind: 'stopped' as const })),
    ...closings,
  ]
  return all.toSorted((a, b) => (a.at < b.at ? -1 : 1))
}

const lineBase = (at: Date, mark: Buffer) => ({ at: at.toISOString(), mark: mark.toString('hex') })

function linesOfSuppressed(suppressed: SuppressedAddress): OptOut[] {
  const line = {
    ...lineBase(suppressed.at, suppressed.mark),
    business_id: formatId('business', suppressed.businessId),
  }
  if (suppressed.channel === null) return [{ ...line, kind: 'hashed', reason: suppressed.reason }]
  if (suppressed.reason === 'lifted') return [{ ...line, kind: 'lifted' }]
  const { channel, reason } = suppressed
  const reasons =
    suppressed.isComplaint && reason !== 'complaint' ? [reason, 'complaint' as const] : [reason]
  return reasons.map((each) => ({ ...line, kind: 'suppressed', channel, reason: each }))
}

/**
 * Returns the hash of the address that was unsubscribed. A contact without that address, and one that
 * objects to tracking, is found by the other one.
 */
function markOfContact(hmac: Hmac, contact: UnsubscribedContact): Buffer | undefined {
  const { businessId, unmarkedEmail, unmarkedPhone } = contact
  const email = contact.emailMark ?? (unmarkedEmail && markOf(hmac, businessId, unmarkedEmail))
  const phone = contact.phoneMark ?? (unmarkedPhone && markOf(hmac, businessId, unmarkedPhone))
  return (contact.channel === 'sms' ? (phone ?? email) : (email ?? phone)) || undefined
}

/** Applies opt-outs to a database that may lack them. Opt-outs that it has stay as they are. */
export async function applyOptOuts(
  db: Database,
  hmac: Hmac,
  optOuts: readonly OptOut[],
  now: Date,
): Promise<void> {
  const businesses = new Set(optOuts.map(businessOf).filter((id) => id !== undefined))
  for (const businessId of businesses) await markAddresses(db, hmac, businessId)
  for (const optOut of optOuts) {
    if (isClosing(optOut)) await db.tx((tx) => applyOneClosing(tx, optOut))
    else if (optOut.kind !== 'hashed') await db.tx((tx) => apply(tx, hmac, optOut, now))
  }
  const hashed = Map.groupBy(
    optOuts.filter((optOut) => optOut.kind === 'hashed'),
    businessOf,
  )
  for (const [businessId, lines] of hashed) {
    if (businessId) await applyHashed(db, hmac, { businessId, lines }, now)
  }
}

const businessOf = (out: OptOut): Id<'business'> | undefined =>
  out.kind === 'stopped' ? undefined : parseId('business', out.business_id)

const isClosing = (out: OptOut): out is ClosingLine =>
  out.kind === 'closed' || out.kind === 'reopened' || out.kind === 'deleted'

async function applyOneClosing(tx: Tx, line: ClosingLine): Promise<void> {
  const businessId = businessOf(line)
  if (businessId) await applyClosing(tx, line, businessId)
}

const hashesAtOnce = 10_000

/** Stores all hashes before it looks for their contacts, since that reads the whole audience. */
async function applyHashed(
  db: Database,
  hmac: Hmac,
  { businessId, lines }: { businessId: Id<'business'>; lines: readonly Hashed[] },
  now: Date,
): Promise<void> {
  const restore = { businessId, hmac, source: 'restore', now }
  for (let from = 0; from < lines.length; from += hashesAtOnce) {
    const rows = lines.slice(from, from + hashesAtOnce).map(({ mark, reason }) => {
      return { address: { sha256: Buffer.from(mark, 'hex') }, reason, at: now }
    })
    await db.tx((tx) => takeOver(tx, restore, rows))
  }
  await matchHashes(db, restore, { now: () => now, signal: new AbortController().signal })
}

async function apply(
  tx: Tx,
  hmac: Hmac,
  optOut: Exclude<AddressLine, Hashed>,
  now: Date,
): Promise<void> {
  const mark = Buffer.from(optOut.mark, 'hex')
  if (optOut.kind === 'stopped') {
    await insertStopped(tx, [mark], now)
    return
  }
  const businessId = businessOf(optOut)
  if (!businessId) return
  if (optOut.kind === 'lifted') {
    await liftBounce(tx, businessId, mark, now)
    return
  }
  if (optOut.kind === 'suppressed') {
    const { channel, reason } = optOut
    await insertSuppressions(tx, [{ businessId, channel, mark, reason, source: 'restore' }], now)
    if (reason !== 'erased') return
  }
  for (const { id } of await findByMark(tx, businessId, mark)) {
    if (optOut.kind === 'suppressed') await eraseContact(tx, hmac, { businessId, id }, now)
    else {
      const { channel, topic } = optOut
      const choice = {
        channel,
        status: 'unsubscribed' as const,
        source: 'ledger, after a restore',
        ...(topic !== null && { topics: [topic] }),
      }
      await changeConsent(tx, { businessId, contactId: id, choices: [choice] }, now)
    }
  }
}

/** A suppressed address, which is known only by a hash. */
type SuppressedAddress = {
  businessId: Id<'business'>
  mark: Buffer
  /** Whether there was a complaint too, which remains when the reason is lifted. */
  isComplaint: boolean
  at: Date
} & (
  | { channel: Channel; reason: SuppressionReason }
  /** A suppression that was judged again, and lifted. */
  | { channel: 'email'; reason: 'lifted' }
  /** The hash is the SHA-256 of an imported list, which does not name the channel. */
  | { channel: null; reason: Exclude<SuppressionReason, 'erased' | 'stop'> }
)

/**
 * Selects by the time of writing, since the date that an imported list names may be years ago. A hash
 * whose address became known since is suppressed by that address.
 */
function suppressedSince(db: Db, since: Date): Promise<SuppressedAddress[]> {
  return db.all(sql`
    select business_id as "businessId", channel, address_hmac as mark, reason,
      complained_at is not null as "isComplaint", coalesce(written_at, created_at) as at
    from suppressions where coalesce(written_at, created_at) >= ${since}
    union all
    select business_id, null, sha256, reason, false, coalesce(written_at, created_at)
    from suppressed_hashes
    where coalesce(written_at, created_at) >= ${since} and address_hmac is null
    union all
    select business_id, 'email', address_hmac, 'lifted', false, reviewed_at
    from bounce_reviews where outcome = 'lifted' and reviewed_at >= ${since}
    order by at
  `)
}

interface UnsubscribedContact {
  businessId: Id<'business'>
  channel: ConsentSubject
  /** The topic; null for the whole channel. */
  topic: string | null
  emailMark: Buffer | null
  phoneMark: Buffer | null
  /** The addresses whose hash is not stored; contacts from before hashes were stored have them. */
  unmarkedEmail: string | null
  unmarkedPhone: string | null
  at: Date
}

function unsubscribedSince(db: Db, since: Date): Promise<UnsubscribedContact[]> {
  return db.all(sql`
    select e.business_id as "businessId", e.channel, e.topic,
      c.email_mark as "emailMark", c.phone_mark as "phoneMark",
      case when c.email_mark is null then c.email end as "unmarkedEmail",
      case when c.phone_mark is null then c.phone end as "unmarkedPhone", e.created_at as at
    from consent_events e
    join contacts c on c.business_id = e.business_id and c.id = e.contact_id
    where e.action = 'unsubscribed' and e.created_at >= ${since}
    order by e.created_at
  `)
}

function stoppedSince(db: Db, since: Date): Promise<{ mark: Buffer; at: Date }[]> {
  return db.all(sql`
    select mark, created_at as at from stopped_numbers
    where created_at >= ${since} order by created_at
  `)
}

/** Finds the contacts with one address, by its hash. */
function findByMark(
  db: Db,
  businessId: Id<'business'>,
  mark: Buffer,
): Promise<{ id: Id<'contact'> }[]> {
  return db.all(sql`
    select id from contacts where business_id = ${businessId} and email_mark = ${mark}
    union
    select id from contacts where business_id = ${businessId} and phone_mark = ${mark}
  `)
}
