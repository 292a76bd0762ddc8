import { isRefusal, orRefusal, refuse } from '../core/errors.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import {
  byImport,
  endImport,
  endStates,
  fileOf,
  type Import,
  type ImportFacility,
  importOf,
  saveImport,
  steer,
} from './import.ts'
import { fieldsOf, importFields, importIdInput } from './view.ts'

export function importCancel({ files }: ImportFacility) {
  return operation({
    name: 'import.cancel',
    title: 'Cancel an import',
    area: 'contacts',
    summary:
      'Cancel an unfinished import and remove its file. Contacts it saved stay: import.undo removes them.',
    reach: 'business',
    scope: 'audience:write',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'POST /v1/imports/:import_id/cancel',
    locate: { import_id: byImport },
    input: { import_id: importIdInput },
    output: Type.Object(importFields),

    async run(context, { import_id }) {
      const businessId = context.business.id
      const view = await steer(context, import_id, async (tx, entry) => {
        if (entry.state === 'cancelled') return fieldsOf(entry, { whole: false })
        if (endStates.includes(entry.state) || entry.state === 'undoing') {
          throw refuse('conflict', `This import has already ended: it is ${entry.state}.`, {
            data: { reason: 'import_over' },
          })
        }
        const ended: Import = { ...entry, state: 'cancelled' }
        // An import that saved nothing has no result to report.
        if (entry.state === 'running' || entry.state === 'paused') {
          await endImport(tx, businessId, { ended, now: context.now })
        } else {
          const plain = { ...ended, hasFile: false, finishedAt: context.now }
          await saveImport(tx, businessId, plain)
        }
        return fieldsOf({ ...ended, finishedAt: context.now }, { whole: false })
      })
      // A repeated call gets the first answer, even if the import is no longer kept.
      const importRow = await orRefusal(() => importOf(context, import_id))
      if (!isRefusal(importRow)) await files.remove(fileOf(businessId, importRow).name)
      return view
    },
  })
}
