/** What a business's messages say of it, and what they may count. */

import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Clock, later, seconds } from '../../lib/time/clock.ts'
import type { Letterhead } from './business.ts'
import { findLetterhead } from './queries.ts'

/** As it is now. */
export function letterheadOf(db: Db, id: Id<'business'>): Promise<Letterhead | undefined> {
  return findLetterhead(db, id)
}

export type ReadLetterhead = (id: Id<'business'>) => Promise<Letterhead | undefined>

export interface LetterheadReader {
  (id: Id<'business'>): Promise<Letterhead | undefined>
  /** The next read asks the database: this process has just changed the business. */
  forget(id: Id<'business'>): void
}

/** A change of a setting is seen by the mail that is made so much later. */
const keptMs = seconds(5)
const mostKept = 1_000

/** Reads a business once for the many messages of a moment. */
export function createLetterheadReader(db: Db, clock: Clock): LetterheadReader {
  const kept = new Map<
    Id<'business'>,
    { letterhead: Promise<Letterhead | undefined>; until: Date }
  >()
  const read = (id: Id<'business'>) => {
    const now = clock.now()
    const found = kept.get(id)
    if (found && found.until > now) return found.letterhead
    const letterhead = findLetterhead(db, id)
    // A failure is not kept: the next use tries again.
    letterhead.catch(() => kept.delete(id))
    if (kept.size >= mostKept) kept.clear()
    kept.set(id, { letterhead, until: later(now, keptMs) })
    return letterhead
  }
  return Object.assign(read, { forget: (id: Id<'business'>) => void kept.delete(id) })
}
