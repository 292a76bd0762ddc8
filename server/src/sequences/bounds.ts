/** When an automation waits for a person because more people enter than one said yes to. */
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { days, later } from '../lib/time/clock.ts'
import type { Sequence, SequenceKey } from './sequence.ts'

/** Whether more people entered within a day than were approved. */
export async function isOverBound(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  { peoplePerDay }: Pick<Sequence, 'peoplePerDay'>,
  now: Date,
): Promise<boolean> {
  if (peoplePerDay === null) return false
  const { n } = await tx.one<{ n: number }>(sql`
    select count(*) as n from (
      select from sequence_entries
      where business_id = ${businessId} and sequence_id = ${sequenceId}
        and entered_at > ${later(now, -days(1))}
      limit ${peoplePerDay + 1}::bigint
    ) as entered
  `)
  return n > peoplePerDay
}

/** Whether connected apps let more people in than the business allows without an approval. */
export async function isMarkedOverBound(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
): Promise<boolean> {
  const row = await tx.maybe(sql`
    select from sequence_wakes
    where business_id = ${businessId} and sequence_id = ${sequenceId} and is_over_bound
  `)
  return row !== undefined
}

/** A person has seen whom connected apps let in, and says yes to them. */
export async function clearMark(tx: Tx, { businessId, sequenceId }: SequenceKey): Promise<void> {
  await tx.run(sql`
    update sequence_wakes set is_over_bound = false
    where business_id = ${businessId} and sequence_id = ${sequenceId} and is_over_bound
  `)
}
