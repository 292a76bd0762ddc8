/**
 * The hidden twin of a business: what its test keys write is there, apart from all live data. It has
 * the settings of the live business and no members, so no person's list has it.
 */

import { type Id, twinOf } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

/** Makes the twin, unless it exists. Later changes of settings reach both (`queries.ts`). */
export function saveTwin(tx: Tx, id: Id<'business'>, now: Date): Promise<number> {
  return tx.run(sql`
    insert into businesses (id, test_of, name, tier, time_zone, language, postal_address, sender,
      reply_to, sms_sender, sms_help, track_opens, track_clicks, track_transactional, tracking,
      attribution_days, colour, privacy_url, brand, utm, deploy_limit, created_at, updated_at)
    select ${twinOf(id)}, id, name, tier, time_zone, language, postal_address, sender,
      reply_to, sms_sender, sms_help, track_opens, track_clicks, track_transactional, tracking,
      attribution_days, colour, privacy_url, brand, utm, null, ${now}, ${now}
    from businesses where id = ${id}
    on conflict (id) do nothing
  `)
}

/** The twins whose data began before this moment. */
export function twinsBegunBefore(db: Db, moment: Date): Promise<{ id: Id<'business'> }[]> {
  return db.all(sql`
    select id from businesses where test_of is not null and created_at < ${moment} order by id
  `)
}

/** Its data begin anew, without the limit that twins had which were made earlier: nobody approves there. */
export function restartTwin(tx: Tx, id: Id<'business'>, now: Date): Promise<number> {
  return tx.run(sql`
    update businesses set created_at = ${now}, deploy_limit = null where id = ${id}
  `)
}
