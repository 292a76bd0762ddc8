/** Adds an import without its file, in the state that the walks need. */
import { formatId, type Id, newId } from 'crier-server/core/ids.ts'
import { noCounts } from 'crier-server/imports/import.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Db } from 'crier-server/lib/db/types.ts'
import { systemClock } from 'crier-server/lib/time/clock.ts'

export async function addImport(
  db: Db,
  businessId: Id<'business'>,
  { word, state }: { word: string; state: string },
): Promise<string> {
  const id = newId('import')
  const now = systemClock.now()
  await db.run(sql`
    insert into imports (business_id, id, state, file_name, uploads, has_file, next_byte, next_row,
      counts, worked_ms, created_at, started_at, finished_at)
    values (${businessId}, ${id}, ${state}, ${`${word}.csv`}, 1, false, 0, 0,
      ${JSON.stringify(noCounts)}, 0, ${now}, ${now}, ${state === 'paused' ? null : now})
  `)
  return formatId('import', id)
}
