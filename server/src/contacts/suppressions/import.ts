import { limits } from '../../config.ts'
import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { type BusinessContext, type Hmac, operation } from '../../core/operation.ts'
import { schemaCheck } from '../../core/schema-check.ts'
import { recordAudit } from '../../events/audit.ts'
import { byteStrings, sql, texts } from '../../lib/db/db.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { normalisePhone } from '../../lib/phone/phone-number.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { type Channel, isTime } from '../contact.ts'
import { startOf } from '../filters/times.ts'
import { groupByFault } from '../refused-rows.ts'
import {
  type FormerSuppression,
  fileSource,
  insertSuppressions,
  isMarketingOnly,
  markOf,
  type NewSuppression,
  type SuppressionReason,
  type SuppressionRow,
  sha256Of,
  suppress,
} from './suppression.ts'

const mostRows = 10_000

export const importedReasons = ['unsubscribed', 'complaint', 'bounce', 'manual'] as const
export type ImportedReason = (typeof importedReasons)[number]

const rowSchema = Type.Object(
  {
    email: Type.Optional(Type.String({ maxLength: 254 })),
    phone: Type.Optional(Type.String({ maxLength: 40 })),
    sha256: Type.Optional(Type.String({ pattern: '^[0-9a-fA-F]{64}$' })),
    reason: Type.Enum(importedReasons),
    at: Type.Optional(Type.String({ maxLength: 40 })),
  },
  { additionalProperties: false },
)
type Row = Static<typeof rowSchema>

const fault = schemaCheck(rowSchema, 'the row')

export const suppressionImport = operation({
  name: 'suppression.import',
  title: 'Import suppressions',
  area: 'contacts',
  summary: `Bring up to ${mostRows} addresses to suppress, with or without contacts: {email | phone | sha256, reason: ${importedReasons.join(' | ')}, at?}. unsubscribed and complaint stop only marketing.`,
  reach: 'business',
  scope: 'audience:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/suppressions/import',
  bodyBytes: limits.toolCallBytes,
  input: {
    suppressions: Type.Array(
      // Checked row by row, so that one invalid row does not refuse all of them.
      Type.Unsafe<Row>({ type: 'object', additionalProperties: true }),
      { minItems: 1, maxItems: mostRows },
    ),
  },
  entries: { suppressions: rowSchema },
  output: Type.Object({
    taken: Type.Integer(),
    refused: Type.Integer(),
    hashed_contacts: Type.Integer(),
    refusals: Type.Array(
      Type.Object({
        code: Type.String(),
        field: Type.Optional(Type.String()),
        message: Type.String(),
        count: Type.Integer(),
        rows: Type.Array(Type.Integer()),
      }),
    ),
  }),

  async run(context, { suppressions: rows }) {
    const { business, now, origin, write } = context
    const read = rows.map((row) => fault(row) ?? readRow(row, now))
    const refusals = read.flatMap((item, row) => (isRefusal(item) ? [shownRefusal(item, row)] : []))
    const valid = read.filter((item): item is ToSuppress => !isRefusal(item))
    return write(async (tx) => {
      const hashedContacts = await keep(tx, context, valid)
      const counts = { taken: valid.length, refused: refusals.length }
      const entry = { businessId: business.id, action: 'suppression.import', details: counts }
      await recordAudit(tx, [{ ...entry, origin }], now)
      return { ...counts, hashed_contacts: hashedContacts, refusals: groupByFault(refusals) }
    })
  },
})

function shownRefusal({ code, message, details: { field } }: Refusal, row: number) {
  return { row, outcome: 'refused', code, message, ...(field !== undefined && { field }) }
}

function readRow({ email, phone, sha256, reason, at }: Row, now: Date): ToSuppress | Refusal {
  const addresses = [email, phone, sha256].filter((entry) => entry !== undefined)
  if (addresses.length !== 1) {
    return refuse('invalid_request', 'must have one of email, phone and sha256.', {
      field: 'email',
      data: { reason: 'one_of' },
    })
  }
  const since = at === undefined ? now : isTime(at) ? startOf(at, 'UTC') : undefined
  if (!since || since > now) {
    const rule = 'at must be a day such as 2026-11-01 or a moment (RFC 3339) that is past.'
    return refuse('invalid_request', rule, { field: 'at', data: { reason: 'past_day' } })
  }
  if (sha256 !== undefined)
    return { reason, at: since, address: { sha256: Buffer.from(sha256, 'hex') } }
  const text = email === undefined ? normalisePhone(phone ?? '') : normaliseEmail(email)
  if (isRefusal(text)) return text
  return { reason, at: since, address: { channel: email === undefined ? 'sms' : 'email', text } }
}

const source = 'suppression.import'

/** Stores the suppressions; returns how many contacts have an address that was given by hash. */
async function keep(
  tx: Tx,
  { business, hmac, now }: BusinessContext,
  items: readonly ToSuppress[],
): Promise<number> {
  const businessId = business.id
  await takeOver(tx, { businessId, hmac, source, now }, items)
  const byHash = new Map(
    items.flatMap((entry) =>
      'sha256' in entry.address ? [[hex(entry.address.sha256), entry]] : [],
    ),
  )
  if (byHash.size === 0) return 0
  const hashes = [...byHash.keys()].map((text) => Buffer.from(text, 'hex'))
  const contacts = await findHashed(tx, businessId, hashes)
  const marks = contacts.map(({ sha256, address }) => {
    return { sha256, mark: markOf(hmac, businessId, address) }
  })
  if (marks.length > 0) await setHashedMarks(tx, businessId, marks)
  const suppressions = contacts.flatMap(({ sha256, address, isEmail }): NewSuppression[] => {
    const row = byHash.get(hex(sha256))
    const channel = isEmail ? 'email' : 'sms'
    return row ? [{ businessId, channel, address, reason: row.reason, source, at: row.at }] : []
  })
  await suppress(tx, hmac, suppressions, now)
  return contacts.length
}

const hex = (bytes: Buffer) => bytes.toString('hex')

export interface ToSuppress {
  address: { channel: Channel; text: string } | { sha256: Buffer }
  reason: ImportedReason
  at: Date
}

interface TakenOver {
  /** The address hash, or the SHA-256 that was given. */
  mark: Buffer
  channel: Channel | null
  change: 'created' | 'updated' | 'unchanged'
  before: FormerSuppression | null
}

interface Taking {
  businessId: Id<'business'>
  hmac: Hmac
  source: string
  now: Date
}

/** In the order of the rows; of an address that several of them name, the strictest reason counts. */
export async function takeOver(
  tx: Tx,
  taking: Taking,
  rows: readonly ToSuppress[],
): Promise<TakenOver[]> {
  const { businessId, hmac } = taking
  const marked = rows.map((row): Marked => {
    const { address } = row
    return 'sha256' in address
      ? { row, channel: null, mark: address.sha256, sha256: address.sha256 }
      : {
          row,
          channel: address.channel,
          mark: markOf(hmac, businessId, address.text),
          sha256: sha256Of(address.text),
        }
  })
  const [listed, hashes] = await Promise.all([
    lockListed(
      tx,
      businessId,
      marked.flatMap(({ channel, mark }) => (channel ? [{ channel, mark }] : [])),
    ),
    findHashes(
      tx,
      businessId,
      marked.map(({ sha256 }) => sha256),
    ),
  ])
  const listedByMark = new Map(
    listed.map((entry) => [`${entry.channel} ${hex(entry.mark)}`, entry]),
  )
  const knownHashes = new Map(hashes.map((entry) => [hex(entry.sha256), entry]))
  const isErased = ({ channel, mark }: Marked) =>
    listedByMark.get(`${channel} ${hex(mark)}`)?.reason === 'erased'
  const remaining = marked.filter((entry) => !isErased(entry))
  const suppressions = remaining.flatMap((entry): SuppressionRow[] => {
    if (!entry.channel) return []
    const { channel, mark, row, sha256 } = entry
    const { source } = taking
    const own = { businessId, channel, mark, source, reason: row.reason, at: row.at }
    // What a list of hashes said of the address counts as well, now that the address is known.
    const hash = knownHashes.get(hex(sha256))
    return hash && !hash.mark ? [own, { ...own, reason: hash.reason, at: hash.at }] : [own]
  })
  if (suppressions.length > 0) await insertSuppressions(tx, suppressions, taking.now)
  const newHashes = remaining.map(({ sha256, row }) => ({ sha256, reason: row.reason, at: row.at }))
  if (newHashes.length > 0) await insertHashed(tx, businessId, newHashes, taking)
  const ofChannel = remaining.filter(({ channel }) => channel !== null)
  if (ofChannel.length > 0) await setHashedMarks(tx, businessId, ofChannel)
  const seen = new Set<string>()
  return marked.map((entry) => {
    const { channel, mark, row, sha256 } = entry
    const name = `${channel} ${hex(mark)}`
    const before = channel ? listedByMark.get(name) : knownHashes.get(hex(mark))
    const isRepeated = seen.has(name)
    seen.add(name)
    const same = { mark, channel, change: 'unchanged' as const, before: null }
    if (isRepeated || isErased(entry)) return same
    // Its hash stood on a list already.
    const isKnown = before ?? knownHashes.get(hex(sha256))
    if (!isKnown) return { ...same, change: 'created' as const }
    if (!channel || !before || !('source' in before) || !outweighs(row.reason, before.reason))
      return same
    const { reason, source, at } = before
    return { ...same, change: 'updated' as const, before: { reason, source, at } }
  })
}

interface Marked {
  row: ToSuppress
  channel: Channel | null
  mark: Buffer
  sha256: Buffer
}

/** As `insertSuppressions` decides it. */
function outweighs(reason: ImportedReason, before: SuppressionReason): boolean {
  if (before === 'complaint') return !isMarketingOnly(reason)
  return before === 'unsubscribed' && reason !== 'unsubscribed'
}

/** Contacts that are looked at, and suppressed, in one transaction. */
const perPage = 5_000

interface Matching {
  businessId: Id<'business'>
  hmac: Hmac
  source: string
}

/** Reads all contacts of the business once. One that is broken off may begin anew. */
export async function matchHashes(
  db: Database,
  matching: Matching,
  { now, signal }: { now: () => Date; signal: AbortSignal },
): Promise<'done' | 'stopped'> {
  const { businessId } = matching
  if (!(await hasUnmatched(db, businessId))) return 'done'
  for (let after: Id<'contact'> | null = null; !signal.aborted; ) {
    const page: Awaited<ReturnType<typeof addressesAfter>> = await addressesAfter(db, businessId, {
      after,
      limit: perPage,
    })
    const last = page.at(-1)
    if (!last) return 'done'
    after = last.id
    await matchPage(db, matching, { page, now: now() })
  }
  return 'stopped'
}

async function matchPage(
  db: Database,
  { businessId, hmac, source }: Matching,
  { page, now }: { page: Awaited<ReturnType<typeof addressesAfter>>; now: Date },
): Promise<void> {
  const addresses = new Map<string, { channel: Channel; address: string }>()
  for (const { email, phone } of page) {
    if (email !== null) addresses.set(hex(sha256Of(email)), { channel: 'email', address: email })
    if (phone !== null) addresses.set(hex(sha256Of(phone)), { channel: 'sms', address: phone })
  }
  const hashes = [...addresses.keys()].map((key) => Buffer.from(key, 'hex'))
  const hashRows = await findHashes(db, businessId, hashes)
  const matches = hashRows.filter(({ mark }) => mark === null)
  if (matches.length === 0) return
  const rows = matches.flatMap(({ sha256, reason, at }) => {
    const match = addresses.get(hex(sha256))
    if (!match) return []
    const suppression: NewSuppression = { businessId, ...match, reason, source, at }
    return [{ suppression, sha256, mark: markOf(hmac, businessId, match.address) }]
  })
  await db.tx(async (tx) => {
    await setHashedMarks(tx, businessId, rows)
    await suppress(
      tx,
      hmac,
      rows.map(({ suppression }) => suppression),
      now,
    )
  })
}

export interface HashedSuppression {
  sha256: Buffer
  reason: SuppressionReason
  at: Date
}

/** Stores the hashes, and of those that something other than a file names what that said. */
function insertHashed(
  tx: Tx,
  businessId: Id<'business'>,
  rows: readonly HashedSuppression[],
  { source, now }: { source: string; now: Date },
): Promise<number> {
  const otherSource = source === fileSource ? null : source
  return tx.run(sql`
    insert into suppressed_hashes (business_id, sha256, reason, created_at, written_at,
      beside_reason, beside_source, beside_at)
    select distinct on (sha256) ${businessId}::uuid, sha256, reason, created_at,
      ${now}::timestamptz, case when beside is not null then reason end, beside,
      case when beside is not null then created_at end
    from unnest(
      ${rows.map((row) => row.sha256)}::bytea[],
      ${rows.map((row) => row.reason)}::text[],
      ${rows.map((row) => row.at)}::timestamptz[]
    ) as new (sha256, reason, created_at), (select ${otherSource}::text) as source (beside)
    order by sha256, reason = 'unsubscribed', reason = 'complaint'
    on conflict (business_id, sha256) do update
    set beside_reason = excluded.beside_reason, beside_source = excluded.beside_source,
      beside_at = excluded.beside_at
    where excluded.beside_reason is not null and (suppressed_hashes.beside_reason is null
      or (suppressed_hashes.beside_reason = 'unsubscribed'
        and excluded.beside_reason <> 'unsubscribed')
      or (suppressed_hashes.beside_reason = 'complaint'
        and excluded.beside_reason not in ('complaint', 'unsubscribed')))
  `)
}

interface HashedContact {
  sha256: Buffer
  address: string
  isEmail: boolean
}

/** Finds the contacts that have one of these addresses; this reads all contacts of the business. */
function findHashed(
  tx: Tx,
  businessId: Id<'business'>,
  hashes: readonly Buffer[],
): Promise<HashedContact[]> {
  return tx.all(sql`
    select sha256, address, is_email as "isEmail"
    from contacts,
      lateral (values
        (email, true, sha256(convert_to(email, 'UTF8'))),
        (phone, false, sha256(convert_to(phone, 'UTF8')))
      ) as hashed (address, is_email, sha256)
    where business_id = ${businessId} and sha256 = any(${hashes}::bytea[])
  `)
}

function setHashedMarks(
  tx: Tx,
  businessId: Id<'business'>,
  rows: readonly { sha256: Buffer; mark: Buffer }[],
): Promise<number> {
  return tx.run(sql`
    update suppressed_hashes h set address_hmac = new.mark
    from unnest(
      ${rows.map((row) => row.sha256)}::bytea[], ${rows.map((row) => row.mark)}::bytea[]
    ) as new (sha256, mark)
    where h.business_id = ${businessId} and h.sha256 = new.sha256
  `)
}

export interface Listed {
  channel: Channel
  mark: Buffer
  reason: SuppressionReason
  source: string
  at: Date
}

/** The suppressions of these addresses, which nobody else changes meanwhile. */
function lockListed(
  tx: Tx,
  businessId: Id<'business'>,
  marks: readonly { channel: Channel; mark: Buffer }[],
): Promise<Listed[]> {
  return tx.all(sql`
    select s.channel, s.address_hmac as mark, s.reason, s.source, s.created_at as at
    from suppressions s
    where s.business_id = ${businessId} and (s.channel, s.address_hmac) in (
      select channel, mark from unnest(
        ${texts(marks.map((mark) => mark.channel))}::text[],
        ${byteStrings(marks.map((mark) => mark.mark))}::bytea[]
      ) as asked (channel, mark)
    )
    order by s.channel, s.address_hmac
    for no key update
  `)
}

interface KnownHash extends HashedSuppression {
  reason: SuppressionReason
  /** The hash of the address, once that is known. */
  mark: Buffer | null
}

function findHashes(
  db: Db,
  businessId: Id<'business'>,
  hashes: readonly Buffer[],
): Promise<KnownHash[]> {
  return db.all(sql`
    select sha256, reason, created_at as at, address_hmac as mark from suppressed_hashes
    where business_id = ${businessId} and sha256 = any(${byteStrings(hashes)}::bytea[])
  `)
}

interface ContactAddresses {
  id: Id<'contact'>
  email: string | null
  phone: string | null
}

function addressesAfter(
  db: Db,
  businessId: Id<'business'>,
  { after, limit }: { after: Id<'contact'> | null; limit: number },
): Promise<ContactAddresses[]> {
  return db.all(sql`
    select id, email, phone from contacts
    where business_id = ${businessId} and id > ${after ?? lowestId}::uuid
    order by id limit ${limit}
  `)
}

/** Whether the list has hashes of which no address is known. */
async function hasUnmatched(db: Db, businessId: Id<'business'>): Promise<boolean> {
  const row = await db.one<{ has: boolean }>(sql`
    select exists (
      select from suppressed_hashes where business_id = ${businessId} and address_hmac is null
    ) as has
  `)
  return row.has
}

const lowestId = '00000000-0000-0000-0000-000000000000'
