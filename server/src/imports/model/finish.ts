/** Ends an import, successful or not: writes its event, audit entry and the one mail about it. */

import { formatId, type Id } from '../../core/ids.ts'
import { recordAudit } from '../../events/audit.ts'
import { emitAll } from '../../events/emit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { days, later } from '../../lib/time/clock.ts'
import { type Import, importJob, importLimits, originOf } from './import.ts'
import { saveImport } from './rows.ts'

/** `ended` has the final state. The caller removes the file once the transaction has committed. */
export async function endImport(
  tx: Tx,
  businessId: Id<'business'>,
  { ended, now }: { ended: Import; now: Date },
): Promise<void> {
  const { id, state, kind, counts } = ended
  const origin = originOf(ended)
  await saveImport(tx, businessId, { ...ended, hasFile: false, finishedAt: now })
  const subject = formatId('import', id)
  const { created, updated, unchanged, refused, stayed_unsubscribed } = counts
  const totals = { created, updated, unchanged, refused, stayed_unsubscribed }
  const entry = {
    businessId,
    action: 'import.finish',
    subject,
    details: { state, kind, ...totals },
  }
  await recordAudit(tx, [{ ...entry, origin }], now)
  if (state !== 'done' && state !== 'failed' && state !== 'cancelled') return
  const data = { import_id: subject, state, kind, ...totals }
  await emitAll(tx, [{ businessId, origin, type: 'import.completed', data }], now)
  const dueAt = later(now, days(importLimits.keptDays))
  await enqueue(
    tx,
    [importJob('mail', { businessId, id }), importJob('expire', { businessId, id, dueAt })],
    now,
  )
}
