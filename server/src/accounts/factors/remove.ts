/** The authenticator app of a person is removed. */
import type { Id } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { lockUser } from '../members/user-queries.ts'
import type { FactorDeps } from './authenticator-app.ts'
import { checkFactorLeft, checkOwnFactor, recordOfPerson } from './own-factor.ts'

export function factorRemove({ notices, isRequired }: Pick<FactorDeps, 'notices' | 'isRequired'>) {
  return operation({
    name: 'factor.remove',
    title: 'Remove the authenticator app',
    summary:
      'The codes of the person’s authenticator app no longer count. They are told by mail. The last factor stays where one is required.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'An authenticator app is removed',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'DELETE /v1/factors/app',
    input: {},
    output: Type.Object({}),

    async run(context) {
      await checkOwnFactor(context)
      const { principal, write, now, origin } = context
      const { userId } = principal
      return write(async (tx) => {
        await lockUser(tx, userId)
        if ((await deleteApp(tx, userId)) === 0) return {}
        await checkFactorLeft(tx, { userId, isRequired })
        await notices.queue(tx, { userId, event: 'app_removed', now })
        await recordOfPerson(tx, { userId, action: 'factor.remove', origin }, now)
        return {}
      })
    },
  })
}

const deleteApp = (db: Db, userId: Id<'user'>) =>
  db.run(sql`delete from authenticator_apps where user_id = ${userId}`)
