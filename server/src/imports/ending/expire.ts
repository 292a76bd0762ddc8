/** Deletes files, refused rows and undo data after their retention, and ends unused imports. */

import type { Id } from '../../core/ids.ts'
import type { Files } from '../../files/files.ts'
import type { Database } from '../../lib/db/types.ts'
import type { Verdict } from '../../lib/jobs/job.ts'
import { type Clock, days, hours, later } from '../../lib/time/clock.ts'
import { dropKept } from '../model/changes.ts'
import { type DryRunFindings, fileOf, type Import, importLimits } from '../model/import.ts'
import { dropNamed } from '../model/named-addresses.ts'
import { lockImport, saveImport } from '../model/rows.ts'

export interface ExpireDeps {
  db: Database
  clock: Clock
  files: Files
}

const keptMs = days(importLimits.keptDays)
const unused = ['awaiting_file', 'checking', 'ready', 'paused']

export async function expireImport(
  { db, clock, files }: ExpireDeps,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'import'> },
): Promise<Verdict> {
  const now = clock.now()
  const outcome = await db.tx(async (tx) => {
    const importRow = await lockImport(tx, businessId, id)
    if (!importRow) return undefined
    const isUnused = unused.includes(importRow.state)
    const since = isUnused ? importRow.createdAt : (importRow.finishedAt ?? now)
    const retention = importRow.state === 'awaiting_file' ? hours(importLimits.uploadHours) : keptMs
    const dueAt = later(since, retention)
    if (dueAt > now) return { again: dueAt }
    const counts = {
      ...importRow,
      hasFile: false,
      found: importRow.found && withoutCells(importRow.found),
    }
    const ended: Import = isUnused ? { ...counts, state: 'cancelled', finishedAt: now } : counts
    await saveImport(tx, businessId, ended)
    // A paused import has saved rows, so undoing them stays possible for the retention period.
    if (importRow.state === 'paused') return { importRow, again: later(now, keptMs) }
    await dropKept(tx, { businessId, importId: id })
    await dropNamed(tx, { businessId, importId: id })
    return { importRow }
  })
  const expired = outcome?.importRow
  for (let uploads = 1; expired && uploads <= expired.uploads; uploads++) {
    await files.remove(fileOf(businessId, { id, uploads }).name)
  }
  return outcome?.again ? { outcome: 'again', at: outcome.again } : { outcome: 'done' }
}

/** The counts of the dry run, without what it shows of the file. */
function withoutCells({
  addresses,
  distinct: _distinct,
  ...findings
}: DryRunFindings): DryRunFindings {
  const examples = { without_mail: [], typos: [], throw_away: [] }
  return {
    ...findings,
    sample: [],
    doubtful: [],
    ...(addresses && { addresses: { ...addresses, examples } }),
  }
}
