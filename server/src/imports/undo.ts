import { refuse } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import { type BusinessContext, isConnection, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { Type } from '../lib/schema/schema.ts'
import { days, later } from '../lib/time/clock.ts'
import {
  byImport,
  callIdOf,
  type Import,
  importJob,
  importLimits,
  saveImport,
  steer,
} from './import.ts'
import { fieldsOf, importFields, importIdInput } from './view.ts'

export const importUndo = operation({
  name: 'import.undo',
  title: 'Undo an import',
  area: 'contacts',
  summary:
    'For seven days: delete contacts an import created that nobody changed since, and restore what it changed. Events already sent stay. It continues after the answer.',
  reach: 'business',
  scope: 'audience:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/imports/:import_id/undo',
  status: 202,
  locate: { import_id: byImport },
  input: { import_id: importIdInput },
  output: Type.Object(importFields),

  run(context, { import_id }) {
    const { business, now, origin } = context
    return steer(context, import_id, async (tx, item) => {
      if (item.state === 'undoing' || item.state === 'undone')
        return fieldsOf(item, { whole: false })
      checkMayLift(context, item)
      const isOver = item.state === 'done' || item.state === 'failed' || item.state === 'cancelled'
      if (!isOver || !item.finishedAt) {
        const text = `Only an import that is over can be undone, and this one is ${item.state}: cancel it first.`
        throw refuse('conflict', text, { data: { reason: 'import_not_over' } })
      }
      if (later(item.finishedAt, days(importLimits.keptDays)) <= now) {
        const text = `It ended more than ${importLimits.keptDays} days ago, and the data needed to undo it has been deleted.`
        throw refuse('gone', text)
      }
      const undoing: Import = {
        ...item,
        state: 'undoing',
        userId: origin.userId ?? null,
        connectionId: origin.connectionId,
        callId: callIdOf(origin),
      }
      await saveImport(tx, business.id, undoing)
      await enqueue(tx, [importJob('undo', { businessId: business.id, id: item.id })], now)
      const subject = formatId('import', item.id)
      const entry = { businessId: business.id, action: 'import.undo', subject, origin }
      await recordAudit(tx, [entry], now)
      return fieldsOf(undoing, { whole: false })
    })
  },
})

/** People come off the list of suppressions by it: an app takes back what it put there itself. */
function checkMayLift({ principal, business, appUrl }: BusinessContext, item: Import): void {
  if (item.kind !== 'suppressions' || !isConnection(principal)) return
  if (item.connectionId === principal.connectionId) return
  const url = `${appUrl}/b/${formatId('business', business.id)}/contacts/import`
  const text = `Undoing this import takes people off the list of suppressions, and this connection did not begin it. A person does it in the app: ${url}.`
  throw refuse('access_denied', text, {
    field: 'import_id',
    fix: { url },
    data: { reason: 'suppressions_of_others' },
  })
}
