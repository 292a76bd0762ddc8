/** Contacts whose address stands on a list of hashes are suppressed, after such a list was imported. */

import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Database } from '../../lib/db/types.ts'
import type { Channel } from '../contact.ts'
import { setHashedMarks } from './hashed-queries.ts'
import { addressesAfter, findHashes, hasUnmatched } from './listed-queries.ts'
import { markOf, type NewSuppression, sha256Of, suppress } from './suppressions.ts'

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
  if (!(await hasUnmatched(db, businessId)).has) return 'done'
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
  const known = await findHashes(db, businessId, hashes)
  const found = known.filter(({ mark }) => mark === null)
  if (found.length === 0) return
  const rows = found.flatMap(({ sha256, reason, at }) => {
    const one = addresses.get(hex(sha256))
    if (!one) return []
    const suppression: NewSuppression = { businessId, ...one, reason, source, at }
    return [{ suppression, sha256, mark: markOf(hmac, businessId, one.address) }]
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

const hex = (bytes: Buffer) => bytes.toString('hex')
