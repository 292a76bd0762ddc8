/** An owner confirms that a member's new factor is the member's own, so that it counts at once. */
import { refuse } from '../../core/errors.ts'
import { type Id, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { roleOf } from '../businesses/memberships.ts'
import { lockUser } from '../members/user-queries.ts'
import type { FactorDeps } from './authenticator-app.ts'
import { checkOwnFactor } from './own-factor.ts'
import { businessesThatAsk, endWaiting } from './waiting.ts'

export function factorAccept({ notices, isRequired }: Pick<FactorDeps, 'notices' | 'isRequired'>) {
  return operation({
    name: 'factor.accept',
    title: 'Confirm a member’s new second factor',
    summary:
      'Lets a member’s first second factor count at once, which otherwise counts 24 hours after it was set up. Ask the member in person or by phone first: whoever reads their mailbox could have set it up.',
    reach: 'business',
    scope: 'meta:read',
    role: 'owner',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'A second factor is confirmed',
    freshFactor: 'members',
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    rest: 'POST /v1/members/:user_id/factors/accept',
    input: { user_id: Type.String({ maxLength: 40, description: 'usr_…' }) },
    output: Type.Object({}),

    async run(context, { user_id }) {
      await checkOwnFactor(context)
      const { db, business, principal, now, write, origin } = context
      const userId = parseId('user', user_id)
      if (!userId || (await roleOf(db, business.id, userId)) === undefined) {
        const text = `The business has no member ${user_id}.`
        throw refuse('not_found', text, { field: 'user_id' })
      }
      if (userId === principal.userId) throw ownFactor()
      return write(async (tx) => {
        await lockUser(tx, userId)
        await checkNobodyElseAsks(tx, { businessId: business.id, userId, isRequired, now })
        const waiting = await endWaiting(tx, userId)
        if (!waiting) return {}
        await notices.queue(tx, { userId, event: 'factor_accepted', now })
        const entry = { businessId: business.id, action: 'factor.accept', subject: user_id, origin }
        await recordAudit(tx, [entry], now)
        return {}
      })
    },
  })
}

/**
 * The owner of one business does not vouch for a person before another one that asks as well. Where the
 * operator requires a factor of everybody, each business asks.
 */
async function checkNobodyElseAsks(
  tx: Tx,
  {
    businessId,
    ...person
  }: { businessId: Id<'business'>; userId: Id<'user'>; isRequired: boolean; now: Date },
): Promise<void> {
  const asking = await businessesThatAsk(tx, person)
  if (asking.every(({ id }) => id === businessId)) return
  const text = `Another business of this member asks for a second factor too, so it counts after 24 hours, or once the operator confirms it: crier users factors EMAIL --accept.`
  throw refuse('conflict', text, { data: { reason: 'accept_by_operator' } })
}

const ownFactor = () =>
  refuse('conflict', 'Another owner confirms your new second factor, or the operator.', {
    field: 'user_id',
    data: { reason: 'own_factors' },
  })
