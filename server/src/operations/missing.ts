/** Reads which requirements businesses lack before they can deploy a campaign by email. */

import {
  businessesWithoutAddress,
  type MissingThing,
  type ReadMissing,
  type ReadMissingFrom,
} from '../accounts/settings/missing.ts'
import type { Id } from '../core/ids.ts'
import { createBatcher } from '../lib/concurrency/batch.ts'
import type { Db } from '../lib/db/types.ts'
import { withVerifiedDomain } from '../sender-domains/keys/read-domains.ts'
import type { DomainSettings } from '../sender-domains/model/domain.ts'

type Ids = readonly Id<'business'>[]
type Missing = ReadonlyMap<Id<'business'>, readonly MissingThing[]>

/** How long, in milliseconds, a change made by another process may stay unseen. */
const keptMs = 2_000
const mostKept = 10_000

interface CachedMissing {
  things: readonly MissingThing[]
  /** When the entry expires, on the clock of `elapsed`. */
  until: number
}

export interface MissingReader extends ReadMissing {
  /**
   * Drops the cached entry, because this process has just changed the business. The next call reads
   * the database.
   */
  forget(id: Id<'business'>): void
}

/**
 * `business.list` is the first call of every assistant, and a statement of its own would cost a
 * third of its rate (bench `business-list`: 18,900 calls a second became 12,000). So results are
 * cached for a moment, and waiting calls share two statements, for any number of businesses.
 * `elapsed` returns milliseconds on a monotonic clock.
 */
export function createMissingReader(
  db: Db,
  missingIn: ReadMissingFrom,
  elapsed = () => performance.now(),
): MissingReader {
  const cached = new Map<Id<'business'>, CachedMissing>()
  let forgotten = 0
  const keep = (missing: Missing): void => {
    const until = elapsed() + keptMs
    if (cached.size + missing.size > mostKept) cached.clear()
    for (const [id, things] of missing) cached.set(id, { things, until })
  }
  const read = createBatcher<Ids, Missing>({
    maxItems: 100,
    inFlight: 2,
    eachAlone: false,
    async flush(idsOfCalls) {
      const before = forgotten
      const missing = await missingIn(db, [...new Set(idsOfCalls.flat())])
      // If an entry was dropped meanwhile, this result may be older than the change, so it is not
      // cached.
      if (forgotten === before) keep(missing)
      return idsOfCalls.map(() => missing)
    },
  })
  const missingOf: ReadMissing = (ids) => {
    const now = elapsed()
    const missingThings = new Map<Id<'business'>, readonly MissingThing[]>()
    for (const id of ids) {
      const entry = cached.get(id)
      if (!entry || entry.until <= now) return read(ids)
      missingThings.set(id, entry.things)
    }
    return Promise.resolve(missingThings)
  }
  const forget = (id: Id<'business'>): void => {
    forgotten++
    cached.delete(id)
  }
  return Object.assign(missingOf, { forget })
}

export function missingWithSettings({ gate }: Pick<DomainSettings, 'gate'>): ReadMissingFrom {
  return async (db, ids) => {
    const [lackAddress, haveDomain] = await Promise.all([
      businessesWithoutAddress(db, ids),
      gate === 'strict' ? withVerifiedDomain(db, ids) : new Set(ids),
    ])
    return new Map(
      ids.map((id) => {
        const things: MissingThing[] = []
        if (lackAddress.has(id)) things.push('postal_address')
        if (!haveDomain.has(id)) things.push('sender_domain')
        return [id, things]
      }),
    )
  }
}
