import { type Id, parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import { Type } from '../lib/schema/schema.ts'
import {
  bySequence,
  checkPossible,
  noSuchSequence,
  type Sequence,
  sequenceIdInput,
} from './sequence.ts'

export const sequenceDelete = operation({
  name: 'sequence.delete',
  title: 'Delete an automation',
  area: 'campaigns',
  summary:
    'Permanently delete a draft, or a sequence that was stopped. Its mails stay in the history.',
  reach: 'business',
  scope: 'audience:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'DELETE /v1/sequences/:sequence_id',
  locate: { sequence_id: bySequence },
  input: { sequence_id: sequenceIdInput },
  output: Type.Object({ sequence_id: Type.String(), deleted: Type.Boolean() }),

  run({ business, now, write }, { sequence_id }) {
    return write(async (tx) => {
      const gone = await tx.maybe<{
        status: Sequence['status']
        id: Id<'sequence'>
        deletedAt: Date | null
      }>(sql`
        select id, status, deleted_at as "deletedAt" from sequences
        where business_id = ${business.id} and id = ${idOf(sequence_id)} for update
      `)
      if (!gone) throw noSuchSequence(sequence_id)
      if (!gone.deletedAt) checkPossible('delete', gone)
      await tx.run(sql`
        update sequences set name = '', definition = '{}', deleted_at = coalesce(deleted_at, ${now})
        where business_id = ${business.id} and id = ${gone.id}
      `)
      await tx.run(sql`
        delete from sequence_outcomes
        where business_id = ${business.id} and sequence_id = ${gone.id}
      `)
      return { sequence_id, deleted: true }
    })
  },
})

function idOf(sequenceId: string): Id<'sequence'> {
  const id = parseId('sequence', sequenceId)
  if (!id) throw noSuchSequence(sequenceId)
  return id
}
