/** Statements for a business that begins with what another one has. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

/**
 * Copies the settings that do not name the other business to its recipients. Its postal address,
 * senders, address for replies, words of HELP, logo, header, footer and social addresses stay its own.
 * It has one member, so no second person can approve yet.
 */
export function copySettings(
  tx: Tx,
  to: Id<'business'>,
  { from, now }: { from: Id<'business'>; now: Date },
): Promise<number> {
  return tx.run(sql`
    update businesses b set time_zone = s.time_zone, language = s.language, colour = s.colour,
      track_opens = s.track_opens, track_clicks = s.track_clicks,
      track_transactional = s.track_transactional, tracking = s.tracking,
      attribution_days = s.attribution_days, utm = s.utm, deploy_limit = s.deploy_limit,
      retention = s.retention, attention = s.attention,
      brand = s.brand - array['logo', 'header', 'footer', 'social'], updated_at = ${now}
    from businesses s where b.id = ${to} and s.id = ${from}
  `)
}

/** Counts the businesses that a person owns. */
export function countOwned(db: Db, userId: Id<'user'>): Promise<{ owned: number }> {
  return db.one(sql`
    select count(*) as owned from memberships where user_id = ${userId} and role = 'owner'
  `)
}
