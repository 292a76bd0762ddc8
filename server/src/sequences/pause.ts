import { formatId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import {
  bySequence,
  checkPossible,
  fieldsOf,
  lockSequence,
  type Sequence,
  sequenceFields,
  sequenceIdInput,
} from './sequence.ts'

export const sequencePause = operation({
  name: 'sequence.pause',
  title: 'Pause an automation',
  area: 'campaigns',
  summary: 'Stop its mails within a second. People still enter, and wait.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'POST /v1/sequences/:sequence_id/pause',
  locate: { sequence_id: bySequence },
  input: { sequence_id: sequenceIdInput },
  output: Type.Object(sequenceFields),
  run: (context, { sequence_id }) =>
    context.write(async (tx) => {
      const sequence = await lockSequence(tx, context.business.id, sequence_id)
      checkPossible('pause', sequence)
      if (sequence.status === 'paused') return fieldsOf(sequence)
      return fieldsOf(
        await changeStatus(tx, context, sequence, { status: 'paused', pauseReason: 'requested' }),
      )
    }),
})

/** Changes the state, and records who did it. */
export async function changeStatus(
  tx: Tx,
  { business, origin, now }: BusinessContext,
  before: Sequence,
  changes: Partial<Sequence> & Pick<Sequence, 'status'>,
): Promise<Sequence> {
  const after: Sequence = { ...before, ...changes, updatedAt: now }
  await tx.run(sql`
    update sequences set status = ${after.status}, pause_reason = ${after.pauseReason},
      wanted = ${after.wanted ? JSON.stringify(after.wanted) : null},
      is_approved = ${after.isApproved}, people_per_day = ${after.peoplePerDay}, updated_at = ${now}
    where business_id = ${business.id} and id = ${after.id}
  `)
  const actions = { paused: 'pause', running: 'resume', stopped: 'stop' } as const
  const action = actions[after.status as keyof typeof actions]
  const subject = formatId('sequence', after.id)
  const entry = { businessId: business.id, action: `sequence.${action}`, subject }
  await recordAudit(tx, [{ ...entry, origin }], now)
  return after
}
