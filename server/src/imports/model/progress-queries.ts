/** The statements that each chunk of a running import runs. They write only changing columns. */

import type { Id } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { Import } from './import.ts'

type Progress = Pick<Import, 'nextByte' | 'nextRow' | 'counts' | 'workedMs'>

export type ProgressOfImport = Progress &
  Pick<Import, 'state' | 'userId' | 'connectionId' | 'callId'> & { tier: Tier }

/** Locks the row, so that no other worker processes the import at the same time. */
export function lockProgress(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'import'>,
): Promise<ProgressOfImport | undefined> {
  return tx.maybe(sql`
    select i.state, i.next_byte as "nextByte", i.next_row as "nextRow", i.counts,
      i.worked_ms as "workedMs", i.user_id as "userId", i.connection_id as "connectionId",
      i.call_id as "callId", b.tier
    from imports i join businesses b on b.id = i.business_id
    where i.business_id = ${businessId} and i.id = ${id}
    for no key update of i
  `)
}

export function saveProgress(
  tx: Tx,
  { businessId, importId }: { businessId: Id<'business'>; importId: Id<'import'> },
  { nextByte, nextRow, counts, workedMs }: Progress,
): Promise<number> {
  return tx.run(sql`
    update imports set next_byte = ${nextByte}, next_row = ${nextRow},
      counts = ${JSON.stringify(counts)}, worked_ms = ${workedMs}
    where business_id = ${businessId} and id = ${importId}
  `)
}

/** Commits without waiting for the disk, for work that is repeated if a crash loses it. */
export function commitWithoutWaiting(tx: Tx): Promise<number> {
  return tx.run(sql`set local synchronous_commit = off`)
}
