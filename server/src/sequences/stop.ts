import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { dropOrder } from './decide.ts'
import { changeStatus } from './pause.ts'
import {
  bySequence,
  checkPossible,
  fieldsOf,
  lockSequence,
  sequenceFields,
  sequenceIdInput,
} from './sequence.ts'
import { endInside, lockInside } from './start.ts'

export const sequenceStop = operation({
  name: 'sequence.stop',
  title: 'Stop an automation',
  area: 'campaigns',
  summary: 'Nobody enters any more, and everybody inside leaves. It can be started again.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/sequences/:sequence_id/stop',
  locate: { sequence_id: bySequence },
  input: { sequence_id: sequenceIdInput },
  output: Type.Object(sequenceFields),
  run: (context, { sequence_id }) =>
    context.write(async (tx) => {
      const { business, now } = context
      const sequence = await lockSequence(tx, business.id, sequence_id)
      checkPossible('stop', sequence)
      if (sequence.status === 'stopped') return fieldsOf(sequence)
      if (sequence.status === 'awaiting_approval') {
        return fieldsOf(await dropOrder(tx, business.id, sequence, now))
      }
      const key = { businessId: business.id, sequenceId: sequence.id }
      const people = await lockInside(tx, key, null)
      await endInside(tx, key, { people, name: sequence.name, reason: 'stopped', now })
      return fieldsOf(
        await changeStatus(tx, context, sequence, {
          status: 'stopped',
          pauseReason: null,
          wanted: null,
        }),
      )
    }),
})
