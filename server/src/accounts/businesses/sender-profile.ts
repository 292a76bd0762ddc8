/** What a business's messages say of it, and what they may count. */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Clock, later, seconds } from '../../lib/time/clock.ts'
import type { SenderProfile } from './business.ts'
import { findSenderProfile } from './queries.ts'

/** As it is now. */
export function senderProfileOf(db: Db, id: Id<'business'>): Promise<SenderProfile | undefined> {
  return findSenderProfile(db, id)
}

export type ReadSenderProfile = (id: Id<'business'>) => Promise<SenderProfile | undefined>

export interface SenderProfileReader {
  (id: Id<'business'>): Promise<SenderProfile | undefined>
  /** The next read asks the database: this process has just changed the business. */
  forget(id: Id<'business'>): void
}

/** A change of a setting is seen by the mail that is made so much later. */
const keptMs = seconds(5)
const mostKept = 1_000

/** Reads a business once for the many messages of a moment. */
export function createSenderProfileReader(db: Db, clock: Clock): SenderProfileReader {
  const kept = new Map<
    Id<'business'>,
    { senderProfile: Promise<SenderProfile | undefined>; until: Date }
  >()
  const read = (id: Id<'business'>) => {
    const now = clock.now()
    const found = kept.get(id)
    if (found && found.until > now) return found.senderProfile
    const senderProfile = findSenderProfile(db, id)
    // A failure is not kept: the next use tries again.
    senderProfile.catch(() => kept.delete(id))
    if (kept.size >= mostKept) kept.clear()
    kept.set(id, { senderProfile, until: later(now, keptMs) })
    return senderProfile
  }
  return Object.assign(read, { forget: (id: Id<'business'>) => void kept.delete(id) })
}
