import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { days, later } from '../../lib/time/clock.ts'
import { deleteInvitations } from '../members/invitation-queries.ts'
import { deleteLinks } from './magic-link-queries.ts'
import { deleteSessions } from './session-queries.ts'

/**
 * Deletes old links and sessions. A link is stored for a day after it expires, so that a person who
 * follows it late sees why it fails.
 */
export async function sweepPeople(db: Db, now: Date): Promise<{ links: number; sessions: number }> {
  const links = await deleteLinks(db, later(now, -days(1)))
  await deleteInvitations(db, now)
  await db.run(sql`delete from provider_sign_ins where expires_at < ${now}`)
  const sessions = await deleteSessions(db, now)
  return { links, sessions }
}
