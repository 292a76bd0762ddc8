import { orThrow, refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { countThatFits, nextCursor } from '../../core/paging.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { type Channel, channels } from '../contact.ts'
import { markAddresses } from './hash-addresses.ts'
import {
  isMarketingOnly,
  readSuppressed,
  type SuppressionReason,
  sha256Named,
  suppressionIdOf,
} from './suppression.ts'

const defaultLimit = 50

export const suppressionList = operation({
  name: 'suppression.list',
  title: 'List suppressions',
  area: 'contacts',
  summary: 'Who gets no mail or no marketing, and why.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/suppressions',
  input: {
    email: Type.Optional(Type.String({ maxLength: 254 })),
    phone: Type.Optional(Type.String({ maxLength: 40 })),
    // Only bounces by an earlier rule that could not be judged again.
    not_judgeable: Type.Optional(Type.Boolean()),
    cursor: Type.Optional(Type.String({ maxLength: 200 })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  },
  output: Type.Object({
    suppressions: Type.Array(
      Type.Object({
        suppression_id: Type.String(),
        channel: Type.Union([Type.Enum(channels), Type.Null()]),
        sha256: Type.Union([Type.String(), Type.Null()]),
        reason: Type.String(),
        stops: Type.Enum(['marketing', 'everything']),
        source: Type.String(),
        since: Type.String({ description: 'ISO 8601, UTC.' }),
        contact_id: Type.Union([Type.String(), Type.Null()]),
        address: Type.Union([Type.String(), Type.Null()]),
        not_judgeable: Type.Optional(Type.Boolean()),
      }),
    ),
    next_cursor: nextCursor,
  }),

  async run(
    { db, business, hmac },
    { email, phone, not_judgeable, cursor, limit: requestedLimit },
  ) {
    const limit = requestedLimit ?? defaultLimit
    const isOne = email !== undefined || phone !== undefined
    const mark = orThrow(isOne ? readSuppressed(hmac, business.id, { email, phone }) : null)
    const sha256 = mark && sha256Named({ email, phone })
    const hashes = mark && sha256 ? { mark, sha256 } : null
    const before = cursor === undefined ? null : readCursor(cursor)
    await markAddresses(db, hmac, business.id)
    const rows = await listSuppressions(db, business.id, {
      hashes,
      before,
      notJudgeable: not_judgeable ?? false,
      limit: limit + 1,
    })
    const all = rows.slice(0, limit).map(viewOf)
    const suppressions = requestedLimit === undefined ? all.slice(0, countThatFits(all)) : all
    const last = rows[suppressions.length - 1]
    return {
      suppressions,
      ...(rows.length > suppressions.length && last && { next_cursor: cursorOf(last) }),
    }
  },
})

function viewOf({
  channel,
  mark,
  isHashed,
  reason,
  source,
  createdAt,
  contactId,
  address,
  isNotJudgeable,
}: ListedSuppression) {
  return {
    suppression_id: suppressionIdOf(mark),
    channel,
    sha256: isHashed ? mark.toString('hex') : null,
    reason,
    stops: isMarketingOnly(reason) ? ('marketing' as const) : ('everything' as const),
    source,
    since: createdAt.toISOString(),
    contact_id: contactId && formatId('contact', contactId),
    address,
    ...(isNotJudgeable && { not_judgeable: true }),
  }
}

function cursorOf({ createdAt, mark }: ListedSuppression): string {
  return `${createdAt.getTime()}.${mark.toString('hex')}`
}

function readCursor(text: string): { at: Date; mark: Buffer } {
  const [time = '', hex = ''] = text.split('.')
  const at = new Date(Number(time))
  if (/^\d{1,14}$/.test(time) && /^[0-9a-f]{2,128}$/.test(hex)) {
    return { at, mark: Buffer.from(hex, 'hex') }
  }
  const message = 'Invalid cursor. Pass next_cursor unchanged, or omit it.'
  throw refuse('invalid_request', message, { field: 'cursor', data: { reason: 'list_changed' } })
}

interface ListedSuppression {
  /** Null if only the hash of an address or number was given. */
  channel: Channel | null
  /** The address hash, or the SHA-256 that was given in place of an address. */
  mark: Buffer
  isHashed: boolean
  reason: SuppressionReason
  source: string
  createdAt: Date
  /** The contact with the address; the suppression itself holds only a hash. */
  contactId: Id<'contact'> | null
  address: string | null
  /** An earlier rule made it, and what the server said is gone. */
  isNotJudgeable: boolean
}

interface ListPage {
  /** Lists only the suppression of this address, by either of its hashes. */
  hashes: { mark: Buffer; sha256: Buffer } | null
  before: { at: Date; mark: Buffer } | null
  /** Only those that an earlier rule made and that could not be judged again. */
  notJudgeable?: boolean
  limit: number
}

/**
 * Lists suppressions, newest first, without erased people, since nobody may learn of them. A hash
 * whose address has become known is listed by that address alone.
 */
export function listSuppressions(
  db: Db,
  businessId: Id<'business'>,
  { hashes, before, notJudgeable = false, limit }: ListPage,
): Promise<ListedSuppression[]> {
  const [at, last] = [before?.at ?? null, before?.mark ?? null]
  return db.all(sql`
    select s.channel, s.mark, s.is_hashed as "isHashed", s.reason, s.source,
      s.created_at as "createdAt", c.id as "contactId", c.address,
      exists (
        select from bounce_reviews r
        where r.business_id = ${businessId} and r.address_hmac = s.mark
          and r.suppressed_at = s.created_at and r.outcome = 'not_judgeable'
      ) as "isNotJudgeable"
    from (
      (select channel, address_hmac as mark, false as is_hashed, reason, source, created_at
      from suppressions
      where business_id = ${businessId} and reason <> 'erased'
        and (${hashes?.mark ?? null}::bytea is null or address_hmac = ${hashes?.mark ?? null})
        and (${at}::timestamptz is null or (created_at, address_hmac) < (${at}, ${last}::bytea))
        and (not ${notJudgeable}::boolean or (reason = 'bounce' and exists (
          select from bounce_reviews r
          where r.business_id = ${businessId} and r.address_hmac = suppressions.address_hmac
            and r.suppressed_at = suppressions.created_at and r.outcome = 'not_judgeable'
        )))
      order by created_at desc, address_hmac desc limit ${limit})
      union all
      (select null, sha256, true, reason, 'suppression.import', created_at
      from suppressed_hashes
      where business_id = ${businessId} and address_hmac is null and not ${notJudgeable}::boolean
        and (${hashes?.sha256 ?? null}::bytea is null or sha256 = ${hashes?.sha256 ?? null})
        and (${at}::timestamptz is null or (created_at, sha256) < (${at}, ${last}::bytea))
      order by created_at desc, sha256 desc limit ${limit})
      order by created_at desc, mark desc limit ${limit}
    ) s
    -- Each channel by its own index: a condition on both read the whole audience for each row.
    left join lateral (
      select id, email as address from contacts
      where business_id = ${businessId} and s.channel = 'email' and email_mark = s.mark
      union all
      select id, phone from contacts
      where business_id = ${businessId} and s.channel = 'sms' and phone_mark = s.mark
      limit 1
    ) c on true
    order by s.created_at desc, s.mark desc
  `)
}
