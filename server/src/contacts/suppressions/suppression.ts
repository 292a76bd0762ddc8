/** A suppression: an address that a business does not write to. */

import { createHash } from 'node:crypto'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { addressPurpose } from '../../lib/crypto/vault.ts'
import { byteStrings, ids, sql, sqlWithin, texts } from '../../lib/db/db.ts'
import { isSpread } from '../../lib/db/distribution.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { normalisePhone } from '../../lib/phone/phone-number.ts'
import type { Channel } from '../contact.ts'

/**
 * The reason. An erased person's addresses are also refused as contacts. `stop`: texted by the
 * person; `unsubscribed`: from an imported list, a deleted contact or a replaced address.
 */
export type SuppressionReason =
  | 'erased'
  | 'complaint'
  | 'bounce'
  | 'manual'
  | 'stop'
  | 'unsubscribed'

/** Whether the person themself said that they want nothing, here or to a former service. */
export function isOwnNo(reason: SuppressionReason): boolean {
  return reason === 'unsubscribed' || reason === 'complaint' || reason === 'stop'
}

/**
 * What the button of a mail to the address lifts: the address works, and the person wants mail
 * again.
 */
export const liftedByConfirming: readonly SuppressionReason[] = [
  'unsubscribed',
  'complaint',
  'bounce',
]

export interface Suppression {
  channel: Channel
  reason: SuppressionReason
  source: string
  createdAt: Date
}

/** What a suppression was before an import made it stricter. */
export interface FormerSuppression {
  reason: SuppressionReason
  source: string
  at: Date
}

/** The source of suppressions that an imported file put on the list. */
export const fileSource = 'import'

/** The source of those whose address was found among the hashes of a list. */
export const hashedSource = 'suppression.import'

export interface NewSuppression {
  businessId: Id<'business'>
  channel: Channel
  /** The normalised address. */
  address: string
  reason: SuppressionReason
  /** What reported it, in the service's own words. */
  source: string
  /** When the suppression began, if that is not now. */
  at?: Date
}

/** The suppression of an address that a contact gave up after its person opted out there. */
export const staysOptedOut = { reason: 'unsubscribed', source: 'contact.change' } as const

/** Hashes an address for one business's suppressions; another business's hash of it differs. */
export function markOf(hmac: Hmac, businessId: Id<'business'>, address: string): Buffer {
  return hmac(addressPurpose, `${businessId} ${address}`)
}

/** The hash of an address in the lists of other services. */
export function sha256Of(address: string): Buffer {
  return createHash('sha256').update(address).digest()
}

/**
 * Complaints and unsubscriptions concern marketing only: receipts and other messages that the
 * person requested are still sent.
 */
export function isMarketingOnly(reason: string): boolean {
  return reason === 'complaint' || reason === 'unsubscribed'
}

/**
 * Adds suppressions. The first reason stays, except that `erased` replaces every other reason, and
 * one that stops all mail replaces a complaint.
 */
export async function suppress(
  tx: Tx,
  hmac: Hmac,
  suppressions: NewSuppression[],
  now: Date,
): Promise<void> {
  if (suppressions.length === 0) return
  const rows = suppressions.map((suppression) => ({
    ...suppression,
    mark: markOf(hmac, suppression.businessId, suppression.address),
  }))
  await insertSuppressions(tx, rows, now)
}

/** The suppressions of a contact's addresses. */
export async function suppressionsOf(
  db: Db,
  hmac: Hmac,
  businessId: Id<'business'>,
  { email, phone }: { email: string | null; phone: string | null },
): Promise<Suppression[]> {
  const mark = (address: string | null) =>
    address === null ? null : markOf(hmac, businessId, address)
  return findSuppressions(db, businessId, { email: mark(email), phone: mark(phone) })
}

/** The addresses of a person, with the hash that recognises erased ones. */
export interface Addressed {
  businessId: Id<'business'>
  email?: string | undefined
  phone?: string | undefined
  hmac: Hmac
}

/** Finds the people who use an erased person's address, with the refusal for each. */
export async function findErasedPeople<Asked extends { item: Addressed }>(
  tx: Tx,
  entries: readonly Asked[],
): Promise<ReadonlyMap<Asked, Refusal>> {
  const marks: (AddressHash & { entry: Asked })[] = []
  for (const entry of entries) addHashes(marks, entry)
  const erasures = await findErased(tx, marks)
  if (erasures.length === 0) return new Map()
  const erased = new Set(erasures.map(nameOf))
  const refused = new Map<Asked, Refusal>()
  for (const { entry, ...mark } of marks) {
    if (erased.has(nameOf(mark)) && !refused.has(entry))
      refused.set(entry, refuseErasedPerson(mark.channel))
  }
  return refused
}

function addHashes<Asked extends { item: Addressed }>(
  marks: (AddressHash & { entry: Asked })[],
  entry: Asked,
): void {
  const { businessId, email, phone, hmac } = entry.item
  if (email !== undefined) {
    marks.push({ entry, businessId, channel: 'email', mark: markOf(hmac, businessId, email) })
  }
  if (phone !== undefined) {
    marks.push({ entry, businessId, channel: 'sms', mark: markOf(hmac, businessId, phone) })
  }
}

function nameOf({ businessId, channel, mark }: AddressHash): string {
  return `${businessId} ${channel} ${mark.toString('base64')}`
}

function refuseErasedPerson(channel: Channel): Refusal {
  const [field, addressNoun] =
    channel === 'email' ? ['email', 'email address'] : ['phone', 'phone number']
  const text = `The person with this ${addressNoun} was erased from this business, and erased people cannot be added again.`
  return refuse('conflict', text, { field, data: { reason: 'erased' } })
}

export interface AddressHash {
  businessId: Id<'business'>
  channel: Channel
  mark: Buffer
}

/** Which of the address hashes belong to an erased person. */
export function findErased(tx: Tx, marks: AddressHash[]): Promise<AddressHash[]> {
  return tx.all(sql`
    select asked.business_id as "businessId", asked.channel, asked.mark
    from unnest(
      ${ids(marks.map((mark) => mark.businessId))}::uuid[],
      ${texts(marks.map((mark) => mark.channel))}::text[],
      ${byteStrings(marks.map((mark) => mark.mark))}::bytea[]
    ) as asked (business_id, channel, mark)
    join suppressions s on s.business_id = asked.business_id and s.channel = asked.channel
      and s.address_hmac = asked.mark
    where s.reason = 'erased'
  `)
}

export interface SuppressionRow {
  businessId: Id<'business'>
  channel: Channel
  mark: Buffer
  reason: SuppressionReason
  source: string
  /** When the suppression began, if that is not now. */
  at?: Date
}

/** Whether the new reason replaces the existing one. */
const outweighs = sql`(
  (excluded.reason = 'erased' and suppressions.reason <> 'erased')
  or (suppressions.reason = 'complaint'
    and excluded.reason not in ('complaint', 'unsubscribed'))
  or (suppressions.reason = 'unsubscribed' and excluded.reason <> 'unsubscribed')
)`

/**
 * Something other than a file names an address that is on the list because of a file, and for a
 * reason that stops more than what it names already. The sources are `fileSource` and
 * `hashedSource`, written out because a plan of a conflict takes no parameters.
 */
const isNamedBeside = sql`(
  suppressions.source in ('import', 'suppression.import')
  and excluded.source not in ('import', suppressions.source)
  and (suppressions.beside_reason is null
    or (suppressions.beside_reason = 'unsubscribed' and excluded.reason <> 'unsubscribed')
    or (suppressions.beside_reason = 'complaint'
      and excluded.reason not in ('complaint', 'unsubscribed')))
)`

/** A file's suppression becomes something else's, which needs nothing beside it. */
const isTakenOver = sqlWithin`(excluded.source <> 'import' and ${outweighs})`

/** Inserts in a fixed order, against deadlocks; an address named twice counts once. */
export function insertSuppressions(tx: Tx, rows: SuppressionRow[], now: Date): Promise<number> {
  return tx.run(sqlWithin`
    insert into suppressions (business_id, channel, address_hmac, reason, source, created_at,
      complained_at, written_at)
    select distinct on (business_id, channel, mark)
      business_id, channel, mark, reason, source, at, case when reason = 'complaint' then at end,
      ${now}::timestamptz
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.channel)}::text[],
      ${rows.map((row) => row.mark)}::bytea[],
      ${rows.map((row) => row.reason)}::text[],
      ${rows.map((row) => row.source)}::text[],
      ${rows.map((row) => row.at ?? now)}::timestamptz[]
    ) as new (business_id, channel, mark, reason, source, at)
    order by business_id, channel, mark, reason = 'erased' desc, reason = 'unsubscribed',
      reason = 'complaint'
    on conflict (business_id, channel, address_hmac) do update
    set complained_at = coalesce(suppressions.complained_at, excluded.complained_at),
      written_at = excluded.written_at,
      reason = case when ${outweighs} then excluded.reason else suppressions.reason end,
      source = case when ${outweighs} then excluded.source else suppressions.source end,
      created_at = case when ${outweighs} then excluded.created_at else suppressions.created_at end,
      beside_reason = case when ${isTakenOver} then null
        when ${isNamedBeside} then excluded.reason else suppressions.beside_reason end,
      beside_source = case when ${isTakenOver} then null
        when ${isNamedBeside} then excluded.source else suppressions.beside_source end,
      beside_at = case when ${isTakenOver} then null
        when ${isNamedBeside} then excluded.created_at else suppressions.beside_at end
    where ${outweighs} or ${isNamedBeside}
      or (excluded.complained_at is not null and suppressions.complained_at is null)
  `)
}

export function findSuppressions(
  db: Db,
  businessId: Id<'business'>,
  marks: { email: Buffer | null; phone: Buffer | null },
): Promise<Suppression[]> {
  return db.all(sql`
    select channel, reason, source, created_at as "createdAt" from suppressions
    where business_id = ${businessId} and (
      (channel = 'email' and address_hmac = ${marks.email})
      or (channel = 'sms' and address_hmac = ${marks.phone})
    )
    order by channel
  `)
}

export function deleteSuppressions(
  tx: Tx,
  businessId: Id<'business'>,
  {
    channel,
    mark,
    reasons,
  }: Omit<AddressHash, 'businessId'> & { reasons: readonly SuppressionReason[] },
): Promise<number> {
  return tx.run(sql`
    delete from suppressions
    where business_id = ${businessId} and channel = ${channel} and address_hmac = ${mark}
      and reason = any(${reasons}::text[])
  `)
}

interface SuppressedAddress {
  businessId: Id<'business'>
  channel: Channel
  address: string
  reason: SuppressionReason
  createdAt: Date
}

/** Which of the addresses are suppressed, or stand on a list of hashes that nobody had yet. */
export function findSuppressed(
  tx: Tx,
  rows: readonly (AddressHash & { address: string })[],
): Promise<SuppressedAddress[]> {
  return tx.all(sql`
    with asked as (
      select * from unnest(
        ${ids(rows.map((row) => row.businessId))}::uuid[],
        ${texts(rows.map((row) => row.channel))}::text[],
        ${texts(rows.map((row) => row.address))}::text[],
        ${byteStrings(rows.map((row) => row.mark))}::bytea[]
      ) as asked (business_id, channel, address, mark)
    )
    select a.business_id as "businessId", a.channel, a.address, s.reason,
      s.created_at as "createdAt"
    from asked a
    join suppressions s on s.business_id = a.business_id and s.channel = a.channel
      and s.address_hmac = a.mark
    union all
    select a.business_id, a.channel, a.address, h.reason, h.created_at
    from asked a
    join suppressed_hashes h on h.business_id = a.business_id and h.address_hmac is null
      and h.sha256 = sha256(convert_to(a.address, 'UTF8'))
  `)
}

const prefix = 'sup_'

export function suppressionIdOf(mark: Buffer): string {
  return `${prefix}${mark.toString('hex')}`
}

interface NamedSuppression {
  suppression_id?: string | undefined
  email?: string | undefined
  phone?: string | undefined
}

/** The address hash of the suppression. */
export function readSuppressed(
  hmac: Hmac,
  businessId: Id<'business'>,
  { suppression_id, email, phone }: NamedSuppression,
): Buffer | Refusal {
  const targets = Object.entries({ suppression_id, email, phone })
  const references = targets.filter(([, value]) => value !== undefined)
  if (references.length !== 1) {
    const text = 'Give exactly one of suppression_id, email and phone.'
    return refuse('invalid_request', text, {
      field: references[1]?.[0] ?? 'email',
      data: { reason: 'one_of' },
    })
  }
  if (suppression_id !== undefined) {
    return Buffer.from(suppression_id.slice(prefix.length), 'hex')
  }
  const address = email === undefined ? normalisePhone(phone ?? '') : normaliseEmail(email)
  return isRefusal(address) ? address : markOf(hmac, businessId, address)
}

/** The SHA-256 by which the suppression is listed where no contact has the address. */
export function sha256Named({ suppression_id, email, phone }: NamedSuppression): Buffer | null {
  if (suppression_id !== undefined) return Buffer.from(suppression_id.slice(prefix.length), 'hex')
  const address = email === undefined ? normalisePhone(phone ?? '') : normaliseEmail(email)
  return isRefusal(address) ? null : sha256Of(address)
}

export interface NewAddress extends AddressHash {
  address: string
}

/**
 * Suppresses the addresses whose hash is on their business's list. Few businesses have such a list;
 * without a list the addresses are not hashed.
 */
export async function suppressHashed(
  tx: Tx,
  rows: readonly NewAddress[],
  source: string,
  now: Date,
): Promise<void> {
  const businesses = [...new Set(rows.map((row) => row.businessId))]
  // Citus makes three trips for a statement that inserts what it has updated.
  if (isSpread(tx) && !(await haveHashes(tx, businesses))) return
  await tx.run(sql`
    with found as (
      update suppressed_hashes h set address_hmac = a.mark
      from (
        -- Apart, because Citus takes no STABLE function beside the rows that are changed.
        select business_id, channel, mark, sha256(convert_to(address, 'UTF8')) as sha256
        from unnest(
          ${ids(rows.map((row) => row.businessId))}::uuid[],
          ${texts(rows.map((row) => row.channel))}::text[],
          ${texts(rows.map((row) => row.address))}::text[],
          ${byteStrings(rows.map((row) => row.mark))}::bytea[]
        ) as new (business_id, channel, address, mark) offset 0
      ) as a
      where exists (select from suppressed_hashes where business_id = any(${businesses}::uuid[]))
        and h.business_id = a.business_id and h.sha256 = a.sha256
      returning a.business_id, a.channel, a.mark, h.reason, h.created_at
    )
    insert into suppressions (business_id, channel, address_hmac, reason, source, created_at,
      complained_at, written_at)
    select business_id, channel, mark, reason, ${source}, created_at,
      case when reason = 'complaint' then created_at end, ${now}::timestamptz
    from found
    on conflict do nothing
  `)
}

async function haveHashes(tx: Tx, businesses: Id<'business'>[]): Promise<boolean> {
  const { haveSome } = await tx.one<{ haveSome: boolean }>(sql`
    select exists (
      select from suppressed_hashes where business_id = any(${businesses}::uuid[])
    ) as "haveSome"
  `)
  return haveSome
}

interface HashedAddress {
  sha256: Buffer | null
  mark: Buffer
  /** Deletes it only if it is listed for one of these reasons; for any reason if absent. */
  reasons?: readonly string[] | null
}

/** Deletes the hash of an address, by itself or by the address hash of the contact that had it. */
export function deleteHashed(
  tx: Tx,
  businessId: Id<'business'>,
  { sha256, mark, reasons = null }: HashedAddress,
): Promise<number> {
  return tx.run(sql`
    delete from suppressed_hashes
    where business_id = ${businessId} and (sha256 = ${sha256} or address_hmac = ${mark})
      and (${reasons}::text[] is null or reason = any(${reasons}::text[]))
  `)
}
