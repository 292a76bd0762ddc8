/** A person who is signed in gives a code, which proves that it is still they. */
import { refuse } from '../../core/errors.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { proveSession } from '../sign-in/session.ts'
import { codeInput, type FactorDeps } from './authenticator-app.ts'
import { limitGuesses, takeCode } from './codes.ts'

export function factorConfirm(deps: FactorDeps) {
  return operation({
    name: 'factor.confirm',
    title: 'Confirm with a code',
    summary:
      'Records that the person gave a one-time code or a recovery code in this session just now, as some acts require.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: 'POST /v1/factors/confirm',
    input: { code: codeInput },
    output: Type.Object({ confirmed_at: Type.String() }),

    async run({ principal, write, now }, { code }) {
      const { userId, sessionId } = principal
      if (sessionId === undefined) {
        throw refuse('unauthorized', 'Codes are given by a person who is signed in to the app.')
      }
      return limitGuesses(deps, { userId, now }, () =>
        write(async (tx) => {
          const by = await takeCode(tx, deps, { userId, code, now })
          await proveSession(tx, sessionId, { by, now })
          return { confirmed_at: now.toISOString() }
        }),
      )
    },
  })
}
