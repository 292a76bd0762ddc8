/** The sender profile: what a business's messages say about it, and whether they may be tracked. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Clock, later, seconds } from '../../lib/time/clock.ts'
import type { SenderProfile } from './business.ts'
import { findSenderProfile } from './queries.ts'

/** Reads the current profile. */
export function senderProfileOf(db: Db, id: Id<'business'>): Promise<SenderProfile | undefined> {
  return findSenderProfile(db, id)
}

/** The addresses and numbers that businesses send from, and to which people answer. */
export function ownAddressesOf(
  db: Db,
  ids: readonly Id<'business'>[],
): Promise<Record<'sender' | 'replyTo' | 'smsSender', string | null>[]> {
  return db.all(sql`
    select sender, reply_to as "replyTo", sms_sender as "smsSender"
    from businesses where id = any (${[...ids]}::uuid[])
  `)
}

export type ReadSenderProfile = (id: Id<'business'>) => Promise<SenderProfile | undefined>

export interface SenderProfileReader {
  (id: Id<'business'>): Promise<SenderProfile | undefined>
  /**
   * Drops the cached profile after this process has changed the business, so that the next read
   * queries the database.
   */
  forget(id: Id<'business'>): void
}

/** How long a changed setting may take to show in mail. */
const keptMs = seconds(5)
const mostKept = 1_000

/** Reads a business once for the many messages that are built at one time. */
export function createSenderProfileReader(db: Db, clock: Clock): SenderProfileReader {
  const cache = new Map<
    Id<'business'>,
    { senderProfile: Promise<SenderProfile | undefined>; until: Date }
  >()
  const read = (id: Id<'business'>) => {
    const now = clock.now()
    const found = cache.get(id)
    if (found && found.until > now) return found.senderProfile
    const senderProfile = findSenderProfile(db, id)
    // A failed read is not cached, so that the next use retries it.
    senderProfile.catch(() => cache.delete(id))
    if (cache.size >= mostKept) cache.clear()
    cache.set(id, { senderProfile, until: later(now, keptMs) })
    return senderProfile
  }
  return Object.assign(read, { forget: (id: Id<'business'>) => void cache.delete(id) })
}
