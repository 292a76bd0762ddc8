/** Which relays the operator gave a business, read once for the many messages of a moment. */

import type { Id } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Clock, later, seconds } from '../../lib/time/clock.ts'
import { findRelayChoice } from './queries.ts'

export interface RelayChoice {
  tier: Tier
  relays: Readonly<Record<'transactional' | 'marketing', string | undefined>>
}

export type ReadRelayChoice = (businessId: Id<'business'>) => Promise<RelayChoice | undefined>

/** How long a changed choice may take to be followed. */
const keptMs = seconds(5)
const mostKept = 1_000

export function createRelayChoices(db: Db, clock: Clock): ReadRelayChoice {
  const cache = new Map<Id<'business'>, { choice: Promise<RelayChoice | undefined>; until: Date }>()
  return (id) => {
    const now = clock.now()
    const found = cache.get(id)
    if (found && found.until > now) return found.choice
    const choice = findChoice(db, id)
    // A failed read is not cached, so that the next use retries it.
    choice.catch(() => cache.delete(id))
    if (cache.size >= mostKept) cache.clear()
    cache.set(id, { choice, until: later(now, keptMs) })
    return choice
  }
}

async function findChoice(db: Db, id: Id<'business'>): Promise<RelayChoice | undefined> {
  const row = await findRelayChoice(db, id)
  if (!row) return undefined
  const { tier, transactional, marketing } = row
  const relays = { transactional: transactional ?? undefined, marketing: marketing ?? undefined }
  return { tier, relays }
}
