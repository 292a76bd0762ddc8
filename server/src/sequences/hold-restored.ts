/**
 * After a restore, running sequences are paused. Who was due by then may have got their mail after
 * the backup, and leaves: nobody gets a mail twice.
 */
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Database } from '../lib/db/types.ts'

export async function holdRestoredSequences(db: Database, now: Date): Promise<void> {
  const businesses = await db.all<{ id: Id<'business'> }>(
    sql`select id from businesses order by id`,
  )
  for (const { id } of businesses) {
    await db.tx(async (tx) => {
      await tx.run(sql`
        update sequences set status = 'paused', pause_reason = 'restored', updated_at = ${now}
        where business_id = ${id} and status = 'running'
      `)
      await tx.run(sql`
        update sequence_entries set state = 'left', reason = 'in_doubt', due_at = null,
          waits_for = null, ended_at = ${now}
        where business_id = ${id} and state = 'active' and (due_at <= ${now} or waits_for is not null)
      `)
    })
  }
}
