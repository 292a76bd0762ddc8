/** Ten new recovery codes in place of those before. */
import { refuse } from '../../core/errors.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { lockUser } from '../members/user-queries.ts'
import type { FactorDeps } from './authenticator-app.ts'
import { makeRecoveryCodes } from './codes.ts'
import { hasFactor, ownFactors } from './factor.ts'
import { checkOwnFactor, recordOfPerson } from './own-factor.ts'

export function factorCodes({ vault, notices }: Pick<FactorDeps, 'vault' | 'notices'>) {
  return operation({
    name: 'factor.codes',
    title: 'Make recovery codes',
    summary:
      'Makes ten new recovery codes in place of those before, and shows them this once. The person is told by mail.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'Recovery codes are made',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    rest: 'POST /v1/factors/codes',
    status: 201,
    input: {},
    output: Type.Object({ recovery_codes: Type.Array(Type.String()) }),

    async run(context) {
      await checkOwnFactor(context)
      const { principal, write, now, origin } = context
      const { userId } = principal
      return write(async (tx) => {
        await lockUser(tx, userId)
        if (!hasFactor(await ownFactors(tx, userId))) throw noFactorYet()
        const recovery_codes = await makeRecoveryCodes(tx, vault, { userId, now })
        await notices.queue(tx, { userId, event: 'codes_made', now })
        await recordOfPerson(tx, { userId, action: 'factor.codes', origin }, now)
        return { recovery_codes }
      })
    },
  })
}

const noFactorYet = () =>
  refuse('conflict', 'Add a passkey or an authenticator app first.', {
    data: { reason: 'no_factor' },
  })
