/** Checks whether the database keeps what was acknowledged, and whether jobs were given up. */
import { sql } from '../lib/db/db.ts'
import type { Database } from '../lib/db/types.ts'
import { listDead } from '../lib/jobs/health.ts'
import { type Finding, fail, ok, warn } from './finding.ts'

/** Dead jobs are messages or deliveries that are no longer tried. */
export async function queueFinding(db: Database): Promise<Finding> {
  const dead = await listDead(db)
  if (dead.length === 0) return ok('queue', 'no job is dead')
  const counts = dead.map(({ kind, fault, jobs }) => `${jobs} of ${kind} (${fault ?? 'no fault'})`)
  const mend = 'Fix what the log of that time shows, then run crier jobs release KIND.'
  return warn('queue', `failed jobs: ${counts.join(', ')}`, mend)
}

/** Checks whether acknowledged writes survive a power cut. */
export async function durabilityFinding(db: Database): Promise<Finding> {
  const rows = await db.all<{ name: string; setting: string }>(sql`
    select name, setting from pg_settings
    where name in ('fsync', 'full_page_writes', 'synchronous_commit')
    order by name
  `)
  const off = rows.filter(({ setting }) => setting === 'off').map(({ name }) => name)
  if (off.length === 0) return ok('durability', rows.map(({ name }) => `${name} on`).join(', '))
  const mend = `Set ${off.map((name) => `${name} = on`).join(', ')} in postgresql.conf and reload.`
  return fail('durability', `${off.join(', ')} off: acknowledged writes can be lost`, mend)
}
