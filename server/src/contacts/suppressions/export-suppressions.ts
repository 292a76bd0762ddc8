/** The list of suppressions as it goes out: of an address that nothing names, its row stays here. */

import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Channel } from '../contact.ts'
import { markAddresses } from './hash-addresses.ts'
import type { SuppressionReason } from './suppression.ts'

export interface OutgoingSuppression {
  /** Null where only the hash of an address or of a number was given. */
  channel: Channel | null
  address: string | null
  sha256: Buffer | null
  reason: SuppressionReason
  source: string
  at: Date
}

const perPage = 1_000

/** Page by page; a page may be empty where none of its addresses has a name. */
export async function* exportSuppressions(
  db: Db,
  businessId: Id<'business'>,
  hmac: Hmac,
): AsyncGenerator<OutgoingSuppression[]> {
  await markAddresses(db, hmac, businessId)
  for (let after: { channel: Channel; mark: Buffer } | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof suppressionsAfter>> = await suppressionsAfter(
      db,
      businessId,
      { after, limit: perPage },
    )
    const last = rows.at(-1)
    if (!last) break
    after = last
    yield rows.filter(({ address, sha256 }) => address !== null || sha256 !== null)
  }
  for (let after: Buffer | null = null; ; ) {
    const rows: Awaited<ReturnType<typeof hashesAfter>> = await hashesAfter(db, businessId, {
      after,
      limit: perPage,
    })
    const last = rows.at(-1)
    if (!last) return
    after = last.sha256
    const source = 'suppression.import'
    yield rows.map((row) => ({ ...row, channel: null, address: null, source }))
  }
}

interface ExportedSuppression {
  channel: Channel
  mark: Buffer
  reason: SuppressionReason
  source: string
  at: Date
  address: string | null
  sha256: Buffer | null
}

/** A page of the list in the order of its key, without erased people. */
function suppressionsAfter(
  db: Db,
  businessId: Id<'business'>,
  { after, limit }: { after: { channel: Channel; mark: Buffer } | null; limit: number },
): Promise<ExportedSuppression[]> {
  return db.all(sql`
    select s.channel, s.address_hmac as mark, s.reason, s.source, s.created_at as at, c.address,
      h.sha256
    from (
      select * from suppressions
      where business_id = ${businessId} and reason <> 'erased'
        and (channel, address_hmac) > (${after?.channel ?? ''}, ${after?.mark ?? Buffer.alloc(0)}::bytea)
      order by channel, address_hmac limit ${limit}
    ) s
    left join lateral (
      select email as address from contacts
      where business_id = ${businessId} and s.channel = 'email' and email_mark = s.address_hmac
      union all
      select phone from contacts
      where business_id = ${businessId} and s.channel = 'sms' and phone_mark = s.address_hmac
      limit 1
    ) c on true
    left join lateral (
      select sha256 from suppressed_hashes
      where business_id = ${businessId} and address_hmac = s.address_hmac
      limit 1
    ) h on true
    order by s.channel, s.address_hmac
  `)
}

interface ExportedHash {
  sha256: Buffer
  reason: SuppressionReason
  at: Date
}

/** A page of the hashes that no known address has. */
function hashesAfter(
  db: Db,
  businessId: Id<'business'>,
  { after, limit }: { after: Buffer | null; limit: number },
): Promise<ExportedHash[]> {
  return db.all(sql`
    select sha256, reason, created_at as at from suppressed_hashes
    where business_id = ${businessId} and address_hmac is null
      and sha256 > ${after ?? Buffer.alloc(0)}::bytea
    order by sha256 limit ${limit}
  `)
}
