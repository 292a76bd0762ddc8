/** An authenticator app is set up: its secret, for a camera and a keyboard. */
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { emailOf } from '../members/user.ts'
import { type FactorDeps, shownSecret, startApp } from './authenticator-app.ts'
import { checkOwnFactor } from './own-factor.ts'

export function factorStart({ vault }: Pick<FactorDeps, 'vault'>) {
  return operation({
    name: 'factor.start',
    title: 'Set up an authenticator app',
    summary:
      'Makes a secret for an authenticator app of the person. It counts once the first code of the app has been sent, within 30 minutes.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: 'POST /v1/factors/app',
    input: {},
    output: Type.Object({
      secret: Type.String({ description: 'Base32, to be typed where no camera is.' }),
      uri: Type.String({ description: 'otpauth://…' }),
      qr: Type.String({ description: 'The address as the SVG of a QR code.' }),
    }),

    async run(context) {
      const { db, principal, write, now } = context
      await checkOwnFactor(context)
      const { userId } = principal
      const email = (await emailOf(db, userId)) ?? ''
      const secret = await write((tx) => startApp(tx, vault, { userId, now }))
      return shownSecret(Buffer.from(secret, 'base64url'), email)
    },
  })
}
