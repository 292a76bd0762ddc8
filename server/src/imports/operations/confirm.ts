import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId } from '../../core/ids.ts'
import { type BusinessContext, operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { Type } from '../../lib/schema/schema.ts'
import { choicesInput, readChoices } from '../model/choices-input.ts'
import { callIdOf, type Import, importJob, noCounts } from '../model/import.ts'
import { byImport, importOf, lockImport, saveImport } from '../model/rows.ts'
import { fieldsOf, importFields, importIdInput, noSuchImport } from '../model/view.ts'

export const importConfirm = operation({
  name: 'import.confirm',
  title: 'Start an import',
  area: 'contacts',
  summary:
    'Start an import after its dry run (import.get), or resume a paused one. Nobody is subscribed without consent; unsubscribed people stay so. Sends nothing.',
  reach: 'business',
  scope: 'audience:write',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/imports/:import_id/confirm',
  status: 202,
  locate: { import_id: byImport },
  input: {
    import_id: importIdInput,
    ...choicesInput,
    dry_run: Type.Optional(Type.Boolean({ description: 'Only check the file anew.' })),
  },
  output: Type.Object(importFields),

  async run(context, { import_id, dry_run: isDry = false, ...request }) {
    const found = await importOf(context, import_id)
    return context.write(async (tx) => {
      const importRow = await lockImport(tx, context.business.id, found.id)
      if (!importRow) throw noSuchImport(import_id)
      // The call was repeated, as after a lost response.
      const isUnderWay = importRow.state === 'running' || importRow.state === 'done'
      if (isUnderWay && !isDry) return fieldsOf(importRow, { whole: false })
      if (importRow.state === 'paused' && !isDry) return start(tx, context, importRow)
      if (importRow.state !== 'ready') throw notReady(importRow)
      const choices = readChoices(importRow, request, { isDry })
      return isDry
        ? check(tx, context, { ...importRow, ...choices })
        : start(tx, context, { ...importRow, ...choices, nextByte: importRow.layout?.start ?? 0 })
    })
  },
})

async function start(tx: Tx, { business, now, origin }: BusinessContext, importRow: Import) {
  const running: Import = {
    ...importRow,
    state: 'running',
    counts: importRow.state === 'paused' ? importRow.counts : noCounts,
    userId: origin.userId ?? null,
    connectionId: origin.connectionId,
    callId: callIdOf(origin),
    startedAt: importRow.state === 'paused' ? importRow.startedAt : now,
  }
  await saveImport(tx, business.id, running)
  await enqueue(tx, [importJob('run', { businessId: business.id, id: importRow.id })], now)
  const subject = formatId('import', importRow.id)
  const { mode, consent, reason } = importRow.choices ?? { mode: 'update', consent: {} }
  const details =
    importRow.kind === 'suppressions'
      ? { kind: importRow.kind, ...(reason && { reason }) }
      : { mode, agreed: Object.keys(consent).join(' ') }
  const entry = { businessId: business.id, action: 'import.confirm', subject, details, origin }
  await recordAudit(tx, [entry], now)
  return fieldsOf(running, { whole: false })
}

async function check(tx: Tx, { business, now }: BusinessContext, importRow: Import) {
  const checking: Import = { ...importRow, state: 'checking', found: null, workedMs: 0 }
  await saveImport(tx, business.id, checking)
  await enqueue(tx, [importJob('check', { businessId: business.id, id: importRow.id })], now)
  return fieldsOf(checking, { whole: false })
}

function notReady({ id, state, fault }: Import): Refusal {
  const why =
    state === 'awaiting_file'
      ? 'No file has been uploaded yet: send it to the upload_url of import.create.'
      : state === 'checking'
        ? 'The file is being checked: import.get tells when it is done.'
        : `It is ${state}${fault ? `: ${fault.message}` : '.'} Begin another with import.create.`
  const tool = state === 'awaiting_file' || state === 'checking' ? 'import.get' : 'import.create'
  const args = tool === 'import.get' ? { import_id: formatId('import', id) } : {}
  return refuse('conflict', `This import cannot be confirmed. ${why}`, {
    fix: { tool, arguments: args },
    data: { reason: 'import_not_ready' },
  })
}
