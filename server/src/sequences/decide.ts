import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import { refuse } from '../core/errors.ts'
import { checkFreshFactor, proofOf } from '../core/fresh-factor.ts'
import type { Id } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { days, later } from '../lib/time/clock.ts'
import { planOf, type SequenceParts } from './preview.ts'
import {
  bySequence,
  fieldsOf,
  lockSequence,
  readSequence,
  type Sequence,
  sequenceFields,
  sequenceIdInput,
} from './sequence.ts'
import { begin, checkPlan, driftedPlan, planHashInput } from './start.ts'

/** The longest approval in days. */
const approvalDays = 366

/**
 * A person's decision about a start that waits. The operation is not a tool and accepts no token, so
 * that no program can decide in the person's name.
 */
export function sequenceDecide(parts: SequenceParts) {
  return operation({
    name: 'sequence.decide',
    title: 'Approve an automation, or refuse it',
    summary:
      'Starts a sequence that waits for a person, by the plan that was shown and within bounds, or refuses it.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'admin',
    alsoFor: 'approver',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/sequences/:sequence_id/decision',
    locate: { sequence_id: bySequence },
    input: {
      sequence_id: sequenceIdInput,
      decision: Type.Enum(['approve', 'refuse']),
      plan_hash: Type.Optional(planHashInput),
      people_per_day: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      for_days: Type.Optional(Type.Integer({ minimum: 1, maximum: approvalDays })),
    },
    output: Type.Object(sequenceFields),

    async run(context, { sequence_id, decision, plan_hash, people_per_day, for_days }) {
      const { db, business, principal, origin, now, write } = context
      const isApproval = decision === 'approve'
      if (isApproval) checkFreshFactor(context, 'approving')
      const sequence = await readSequence(db, business.id, sequence_id)
      const { wanted: pendingStart } = sequence
      if (!pendingStart) {
        if (!isApproval) return fieldsOf(sequence)
        throw refuse('conflict', 'No start of this sequence waits for a decision.', {
          data: { reason: 'nothing_waits' },
        })
      }
      if (isApproval && plan_hash === undefined) {
        const text = 'plan_hash is missing: that of the plan which was shown.'
        throw refuse('invalid_request', text, { field: 'plan_hash', data: { reason: 'missing' } })
      }
      const deploying = await readDeploySettings(db, business.id)
      if (isApproval && deploying?.twoPeople && pendingStart.userId === principal.userId) {
        const text =
          'This business asks for two people: another admin or owner approves what you or your app started.'
        throw refuse('conflict', text, { data: { reason: 'two_people' } })
      }
      const plan = isApproval ? await planOf(context, parts, sequence) : undefined
      if (plan) checkPlan(sequence, plan, plan_hash)
      return write(async (tx) => {
        const locked = await lockSequence(tx, business.id, sequence_id)
        const isSameOrder = JSON.stringify(locked.wanted) === JSON.stringify(pendingStart)
        if (!locked.wanted || !isSameOrder || locked.version !== sequence.version) {
          throw driftedPlan(locked)
        }
        const entry = { businessId: business.id, action: `sequence.${decision}` }
        const details = {
          people_per_day: people_per_day ?? null,
          days: for_days ?? null,
          ...proofOf(context),
        }
        await recordAudit(tx, [{ ...entry, subject: sequence_id, details, origin }], now)
        if (!plan) return fieldsOf(await dropOrder(tx, business.id, locked, now))
        const bounds = {
          isApproved: true,
          peoplePerDay: people_per_day ?? null,
          endsAt: for_days === undefined ? null : later(now, days(for_days)),
        }
        const order = {
          ...locked.wanted,
          templates: plan.templates,
          segment: plan.segment,
          sender: plan.sender,
          textSender: plan.textSender,
        }
        return fieldsOf(await begin(tx, business.id, locked, { order, bounds, now }))
      })
    },
  })
}

export async function dropOrder(
  tx: Tx,
  businessId: Id<'business'>,
  sequence: Sequence,
  now: Date,
): Promise<Sequence> {
  const isNew = sequence.status === 'awaiting_approval'
  const before = sequence.runningVersion === null ? ('draft' as const) : ('stopped' as const)
  const status = isNew ? before : sequence.status
  await tx.run(sql`
    update sequences set status = ${status}, wanted = null, updated_at = ${now}
    where business_id = ${businessId} and id = ${sequence.id}
  `)
  return { ...sequence, status, wanted: null, updatedAt: now }
}
