/** An authenticator app is added by its first code. */
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { proveSession } from '../sign-in/session.ts'
import { addApp, codeInput, type FactorDeps } from './authenticator-app.ts'
import { limitGuesses } from './codes.ts'
import { hasFactor, ownFactors } from './factor.ts'
import { checkOwnFactor, recordOfPerson } from './own-factor.ts'
import { beginWaiting } from './waiting.ts'

const recoveryCodes = Type.Optional(
  Type.Array(Type.String(), { description: 'Ten recovery codes, which are shown this once.' }),
)

export function factorAdd(deps: FactorDeps) {
  return operation({
    name: 'factor.add',
    title: 'Add an authenticator app',
    summary:
      'Adds the authenticator app that was set up, by its first code. With the first factor the person gets ten recovery codes. They are told by mail.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'An authenticator app is added',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: 'POST /v1/factors/app/add',
    status: 201,
    input: { code: codeInput },
    output: Type.Object({ recovery_codes: recoveryCodes }),

    async run(context, { code }) {
      await checkOwnFactor(context)
      const { principal, write, now, origin } = context
      const { userId, sessionId } = principal
      return limitGuesses(deps, { userId, now }, () =>
        write(async (tx) => {
          const isFirst = !hasFactor(await ownFactors(tx, userId))
          const codes = await addApp(tx, deps, { userId, code, now })
          if (sessionId) await proveSession(tx, sessionId, { by: 'code', now })
          if (sessionId && isFirst) await beginWaiting(tx, deps, { userId, sessionId, now })
          await recordOfPerson(tx, { userId, action: 'factor.add', origin }, now)
          return codes ? { recovery_codes: codes } : {}
        }),
      )
    },
  })
}
