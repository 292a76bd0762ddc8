import { refuse } from '../core/errors.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { byImport, saveImport, steer } from './import.ts'
import { fieldsOf, importFields, importIdInput } from './view.ts'

export const importPause = operation({
  name: 'import.pause',
  title: 'Pause an import',
  area: 'contacts',
  summary: 'Pause an import after its current rows; import.confirm resumes it.',
  reach: 'business',
  scope: 'audience:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'POST /v1/imports/:import_id/pause',
  locate: { import_id: byImport },
  input: { import_id: importIdInput },
  output: Type.Object(importFields),

  run(context, { import_id }) {
    return steer(context, import_id, async (tx, entry) => {
      if (entry.state === 'paused') return fieldsOf(entry, { whole: false })
      if (entry.state !== 'running') {
        throw refuse(
          'conflict',
          `Only a running import can be paused; this one is ${entry.state}.`,
          { data: { reason: 'import_not_running' } },
        )
      }
      const paused = { ...entry, state: 'paused' as const }
      await saveImport(tx, context.business.id, paused)
      return fieldsOf(paused, { whole: false })
    })
  },
})
