/** Whether owners of domains wait for the operator. */
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { type Finding, warn } from './finding.ts'

/** Undefined where nobody waits. */
export async function volumeFinding(db: Db): Promise<Finding | undefined> {
  const waiting = await countWaitingVolumes(db)
  if (waiting === 0) return undefined
  const text = `${waiting} ${waiting === 1 ? 'statement waits' : 'statements wait'} for your answer`
  const mend =
    'Answer in the app under Mail queue, or with crier domains volume approve DOMAIN or refuse DOMAIN.'
  return warn('past volume', text, mend)
}

export async function countWaitingVolumes(db: Db): Promise<number> {
  const { waiting } = await db.one<{ waiting: number }>(sql`
    select count(*)::int as waiting from domains
    where volume_stated_at is not null and volume_decided_at is null
  `)
  return waiting
}
