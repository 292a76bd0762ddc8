/** Whether owners of domains wait for the operator. */
import type { Db } from '../lib/db/types.ts'
import { countWaitingVolumes } from '../sender-domains/volume/volume-queries.ts'
import { type Finding, warn } from './finding.ts'

/** Undefined where nobody waits. */
export async function volumeFinding(db: Db): Promise<Finding | undefined> {
  const waiting = await countWaitingVolumes(db)
  if (waiting === 0) return undefined
  const text = `${waiting} ${waiting === 1 ? 'statement waits' : 'statements wait'} for your answer`
  const mend =
    'crier domains volume list names them; crier domains volume approve DOMAIN, or refuse.'
  return warn('past volume', text, mend)
}
