import { countsFrom } from '../../core/fresh-factor.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { FactorDeps } from './authenticator-app.ts'
import { findApp, ownFactors, recoveryCodesLeft } from './factor.ts'

const orNull = Type.Union([Type.String(), Type.Null()])

export function factorList({ isRequired }: Pick<FactorDeps, 'isRequired'>) {
  return operation({
    name: 'factor.list',
    title: 'See second factors',
    summary:
      'The person’s authenticator app and recovery codes, and from when a second factor is required of them.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/factors',
    input: {},
    output: Type.Object({
      app: Type.Union([
        Type.Object({ added_at: Type.String(), last_used_at: orNull }),
        Type.Null(),
      ]),
      has_passkey: Type.Boolean(),
      recovery_codes_left: Type.Integer(),
      required_from: Type.Union([Type.String(), Type.Null()], {
        description: 'null where nobody requires one.',
      }),
      reset_at: Type.Union([Type.String(), Type.Null()], {
        description: 'When an owner’s reset of them is done; null if none waits.',
      }),
      counts_from: Type.Union([Type.String(), Type.Null()], {
        description: 'From when a new one counts; null where it counts already.',
      }),
    }),

    async run({ db, principal, now }) {
      const { userId } = principal
      const [app, own, left] = [
        await findApp(db, userId),
        await ownFactors(db, userId),
        await recoveryCodesLeft(db, userId),
      ]
      const requiredFrom = isRequired ? now : own.requiredFrom
      return {
        app: app?.addedAt
          ? {
              added_at: app.addedAt.toISOString(),
              last_used_at: app.lastUsedAt?.toISOString() ?? null,
            }
          : null,
        has_passkey: own.hasPasskey,
        recovery_codes_left: left,
        required_from: requiredFrom?.toISOString() ?? null,
        reset_at: own.resetAt?.toISOString() ?? null,
        counts_from: countsFrom(own.waitsUntil, now),
      }
    },
  })
}
