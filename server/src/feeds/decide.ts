import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import { refuse } from '../core/errors.ts'
import { checkFreshFactor, proofOf } from '../core/fresh-factor.ts'
import { operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { Type } from '../lib/schema/schema.ts'
import { days, later } from '../lib/time/clock.ts'
import {
  byFeed,
  type Feed,
  feedFields,
  feedIdInput,
  fieldsOf,
  lockFeed,
  readFeed,
  writeFeed,
} from './feed.ts'
import { type FeedParts, planOf } from './preview.ts'
import { begin, checkPlan, driftedPlan, planHashInput } from './start.ts'

/** The longest approval in days. */
const approvalDays = 366

/**
 * A person's decision about a start that waits. The operation is not a tool and accepts no token, so
 * that no program can decide in the person's name.
 */
export function feedDecide(parts: FeedParts) {
  return operation({
    name: 'feed.decide',
    title: 'Approve a feed, or refuse it',
    summary:
      'Starts a feed that waits for a person, by the plan that was shown and within bounds, or refuses it.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'admin',
    alsoFor: 'approver',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/feeds/:feed_id/decision',
    locate: { feed_id: byFeed },
    input: {
      feed_id: feedIdInput,
      decision: Type.Enum(['approve', 'refuse']),
      plan_hash: Type.Optional(planHashInput),
      people: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
      for_days: Type.Optional(Type.Integer({ minimum: 1, maximum: approvalDays })),
    },
    output: Type.Object(feedFields),

    async run(context, { feed_id, decision, plan_hash, people, for_days }) {
      const { db, business, principal, origin, now, write } = context
      const isApproval = decision === 'approve'
      if (isApproval) checkFreshFactor(context, 'approving')
      const feed = await readFeed(db, business.id, feed_id)
      const waitingOrder = feed.wanted
      if (!waitingOrder) {
        if (!isApproval) return fieldsOf(feed)
        throw refuse('conflict', 'No start of this feed waits for a decision.', {
          data: { reason: 'nothing_waits' },
        })
      }
      if (isApproval && plan_hash === undefined) {
        const text = 'plan_hash is missing: that of the plan which was shown.'
        throw refuse('invalid_request', text, { field: 'plan_hash', data: { reason: 'missing' } })
      }
      const deploying = await readDeploySettings(db, business.id)
      if (isApproval && deploying?.twoPeople && waitingOrder.userId === principal.userId) {
        const text =
          'This business asks for two people: another admin or owner approves what you or your app started.'
        throw refuse('conflict', text, { data: { reason: 'two_people' } })
      }
      const plan = isApproval ? await planOf(context, parts, feed) : undefined
      if (plan) checkPlan(feed, plan, plan_hash)
      return write(async (tx) => {
        const locked = await lockFeed(tx, business.id, feed_id)
        const isSameOrder = JSON.stringify(locked.wanted) === JSON.stringify(waitingOrder)
        if (!locked.wanted || !isSameOrder || locked.version !== feed.version) {
          throw driftedPlan(locked)
        }
        const entry = { businessId: business.id, action: `feed.${decision}` }
        const details = { people: people ?? null, days: for_days ?? null, ...proofOf(context) }
        await recordAudit(tx, [{ ...entry, subject: feed_id, details, origin }], now)
        if (!plan) {
          const isNew = locked.status === 'awaiting_approval'
          const refused: Feed = {
            ...locked,
            ...(isNew && { status: 'draft' as const }),
            wanted: null,
            updatedAt: now,
          }
          await writeFeed(tx, business.id, refused)
          return fieldsOf(refused)
        }
        const bounds = {
          decidedBy: principal.userId,
          people: people ?? null,
          endsAt: for_days === undefined ? null : later(now, days(for_days)).toISOString(),
        }
        const order = { ...locked.wanted, ...plan.order }
        return fieldsOf(await begin(tx, business.id, locked, { order, bounds, now }))
      })
    },
  })
}
