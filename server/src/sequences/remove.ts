import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { peopleOf, whom } from './enrol.ts'
import { endEntries } from './leave.ts'
import { sequenceLimits } from './limits.ts'
import { bySequence, lockSequence, sequenceIdInput } from './sequence.ts'

export const sequenceRemove = operation({
  name: 'sequence.remove',
  title: 'Take people out of an automation',
  area: 'campaigns',
  summary: `Take a contact, a segment or whom a filter matches out of a sequence, up to ${sequenceLimits.enrolled.toLocaleString('en')} people a call.`,
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/sequences/:sequence_id/remove',
  locate: { sequence_id: bySequence },
  input: { sequence_id: sequenceIdInput, ...whom },
  output: Type.Object({ sequence_id: Type.String(), removed: Type.Integer() }),

  async run(context, { sequence_id, ...chosen }) {
    const { business, now } = context
    const contactIds = await peopleOf(context, chosen)
    return context.write(async (tx) => {
      const { id: sequenceId } = await lockSequence(tx, business.id, sequence_id)
      const ending = { businessId: business.id, contactIds, sequenceId, reason: 'removed', now }
      return { sequence_id, removed: await endEntries(tx, ending) }
    })
  },
})
