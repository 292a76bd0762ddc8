/** A member stops the reset of their factors that an owner asked for. */
import type { Id } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import { Type } from '../../lib/schema/schema.ts'
import { emailOf } from '../members/user.ts'
import type { FactorDeps } from './authenticator-app.ts'
import { recordOfPerson } from './own-factor.ts'

export function factorStopReset({ notices }: Pick<FactorDeps, 'notices'>) {
  return operation({
    name: 'factor.stop_reset',
    title: 'Stop the reset of one’s second factor',
    summary: 'Stops every reset of the person’s second factor that an owner has asked for.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    rest: 'POST /v1/factors/stop-reset',
    input: {},
    output: Type.Object({ stopped: Type.Integer() }),

    async run({ principal, now, write, origin }) {
      const { userId } = principal
      return write(async (tx) => {
        const stopped = await tx.all<{ askedBy: Id<'user'> }>(sql`
          delete from factor_resets where user_id = ${userId} returning asked_by as "askedBy"
        `)
        const email = (await emailOf(tx, userId)) ?? ''
        for (const { askedBy } of stopped) {
          const details = { email }
          await notices.queue(tx, { userId: askedBy, event: 'reset_stopped', details, now })
        }
        if (stopped.length > 0) {
          await recordOfPerson(tx, { userId, action: 'factor.stop_reset', origin }, now)
        }
        return { stopped: stopped.length }
      })
    },
  })
}
