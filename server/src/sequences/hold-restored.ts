/**
 * After a restore, running sequences are paused. Who was due by then may have got their mail after
 * the backup, and leaves; who would enter by what happened before it may have entered after it, and
 * is noted as left; and a message that waited to be sent may have been sent. Nobody gets a mail twice.
 */
import type { Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import { type FanOutPayload, fanOutJob } from '../events/emit.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import { doubtEntering } from './enter.ts'
import { doubtLooking } from './look.ts'

export interface Holding {
  hmac: Hmac
  now: Date
}

export async function holdRestoredSequences(db: Database, { hmac, now }: Holding): Promise<void> {
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
      await doubtOpenMessages(tx, id, now)
    })
  }
  await doubtUnplaced(db, { hmac, now })
  await doubtLooking({ db, hmac, now })
}

/** Ends the messages of steps, so that a job that finds one has nothing to do. */
async function doubtOpenMessages(tx: Tx, businessId: Id<'business'>, now: Date): Promise<void> {
  await tx.run(sql`
    update messages m set state = 'unknown', updated_at = ${now}
    from sequence_steps s
    where s.business_id = ${businessId} and m.business_id = ${businessId} and m.id = s.message_id
      and m.state in ('scheduled', 'queued', 'attempting', 'deferred')
  `)
}

const jobsAtOnce = 100

/** Events that had no position yet at the backup may have let people in after it. */
async function doubtUnplaced(db: Database, holding: Holding): Promise<void> {
  for (let last = { shard: -1, id: noJob }; ; ) {
    const jobs = await db.all<{ shard: number; id: string; payload: FanOutPayload }>(sql`
      select shard, id, payload from jobs
      where kind = ${fanOutJob} and (shard, id) > (${last.shard}, ${last.id}::uuid)
      order by shard, id limit ${jobsAtOnce}
    `)
    const end = jobs.at(-1)
    if (!end) return
    last = end
    const events = jobs.flatMap(({ payload: { created_at, events: unplaced } }) =>
      unplaced.map(([businessId, eventId]) => ({
        businessId,
        eventId,
        createdAt: new Date(created_at),
      })),
    )
    await db.tx((tx) => doubtEntering(tx, events, holding))
  }
}

const noJob = '00000000-0000-0000-0000-000000000000'
