/** An owner takes back the reset of a member's factors that waits. */
import { refuse } from '../../core/errors.ts'
import { type Id, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { sql } from '../../lib/db/db.ts'
import { Type } from '../../lib/schema/schema.ts'
import { emailOf } from '../members/user.ts'
import type { FactorDeps } from './authenticator-app.ts'

export function factorWithdrawReset({ notices }: Pick<FactorDeps, 'notices'>) {
  return operation({
    name: 'factor.withdraw_reset',
    title: 'Take back the reset of a second factor',
    summary:
      'Takes back a reset of a member’s second factor that an owner asked for and that has not happened yet. The member and the owner who asked are told by mail.',
    reach: 'business',
    scope: 'meta:read',
    role: 'owner',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    rest: 'DELETE /v1/members/:user_id/factors/reset',
    input: { user_id: Type.String({ maxLength: 40, description: 'usr_…' }) },
    output: Type.Object({ withdrawn: Type.Boolean() }),

    async run({ business, principal, now, write, origin }, { user_id }) {
      const userId = parseId('user', user_id)
      if (!userId) throw noSuchMember(user_id)
      return write(async (tx) => {
        const reset = await tx.maybe<{ askedBy: Id<'user'> }>(sql`
          delete from factor_resets where business_id = ${business.id} and user_id = ${userId}
          returning asked_by as "askedBy"
        `)
        if (!reset) return { withdrawn: false }
        const email = (await emailOf(tx, principal.userId)) ?? ''
        const details = { business: business.name, email }
        for (const reader of new Set([userId, reset.askedBy])) {
          if (reader === principal.userId) continue
          await notices.queue(tx, { userId: reader, event: 'reset_withdrawn', details, now })
        }
        const action = 'factor.withdraw_reset'
        const entry = { businessId: business.id, action, subject: user_id, origin }
        await recordAudit(tx, [entry], now)
        return { withdrawn: true }
      })
    },
  })
}

const noSuchMember = (id: string) =>
  refuse('not_found', `The business has no member ${id}.`, { field: 'user_id' })
