import { checkSending } from '../accounts/stops/stops.ts'
import { refuse } from '../core/errors.ts'
import { isApprover, operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { clearMark, isMarkedOverBound, isOverBound } from './bounds.ts'
import { wakeAt } from './enter.ts'
import { changeStatus } from './pause.ts'
import {
  bySequence,
  checkPossible,
  fieldsOf,
  lockSequence,
  sequenceFields,
  sequenceIdInput,
} from './sequence.ts'

export const sequenceResume = operation({
  name: 'sequence.resume',
  title: 'Resume an automation',
  area: 'campaigns',
  summary: 'Go on with a paused sequence: what fell due meanwhile is done now.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'admin',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
  rest: 'POST /v1/sequences/:sequence_id/resume',
  locate: { sequence_id: bySequence },
  input: { sequence_id: sequenceIdInput },
  output: Type.Object(sequenceFields),
  run: (context, { sequence_id }) =>
    context.write(async (tx) => {
      const { business, principal, now } = context
      const sequence = await lockSequence(tx, business.id, sequence_id)
      checkPossible('resume', sequence)
      if (sequence.status === 'running') return fieldsOf(sequence)
      await checkSending(tx, business.id)
      const isByPerson = isApprover(principal, business)
      if (sequence.pauseReason === 'stopped' && !isByPerson) {
        const text =
          'A person stopped it together with its assistant, or with all sending: an admin or owner resumes it in the app.'
        throw refuse('conflict', text, { data: { reason: 'stopped' } })
      }
      const key = { businessId: business.id, sequenceId: sequence.id }
      const isMarked = await isMarkedOverBound(tx, key)
      if ((isMarked || sequence.pauseReason === 'approval') && !isByPerson) {
        const text =
          'More people entered than were approved, so a person resumes it in the app. Start it again with another rule, or wait.'
        throw refuse('conflict', text, { data: { reason: 'approval' } })
      }
      if (sequence.pauseReason === 'sender') {
        const text =
          'Its mails would come from a sender that is not the approved one. Look at the preview, and start it again.'
        throw refuse('conflict', text, {
          data: { reason: 'sender_changed' },
          fix: { tool: 'sequence.preview', arguments: { sequence_id } },
        })
      }
      // What an app let in beyond its limit says nothing against an approved number a day.
      const isByApps =
        isMarked && sequence.isApproved && !(await isOverBound(tx, key, sequence, now))
      const bounds =
        sequence.pauseReason === 'approval' && !isByApps
          ? { isApproved: true, peoplePerDay: null }
          : { isApproved: sequence.isApproved, peoplePerDay: sequence.peoplePerDay }
      const running = { status: 'running', pauseReason: null, ...bounds } as const
      if (isMarked) await clearMark(tx, key)
      const resumed = await changeStatus(tx, context, sequence, running)
      await wakeAt(tx, key, { at: now, now })
      return fieldsOf(resumed)
    }),
})
