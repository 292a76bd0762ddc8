/** Adding a passkey: what the browser made is verified and stored. */
import { refuse } from '../../core/errors.ts'
import { formatId, newId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { Type } from '../../lib/schema/schema.ts'
import { firstRecoveryCodes } from '../factors/authenticator-app.ts'
import { hasFactor, ownFactors } from '../factors/factor.ts'
import { checkOwnFactor, recordOfPerson } from '../factors/own-factor.ts'
import { beginWaiting, type WaitingDeps } from '../factors/waiting.ts'
import { lockUser } from '../members/user-queries.ts'
import { proveSession } from '../sign-in/session.ts'
import { type AnswerParts, verifyMade } from './answer.ts'
import { answerChallenge } from './challenge.ts'
import type { PasskeyNotices } from './notice.ts'
import { insertPasskey, passkeyLimits, passkeyName, passkeysOf } from './passkey.ts'
import { holderOf } from './start.ts'

export function passkeyAdd(
  parts: AnswerParts & { vault: Pick<Vault, 'hmac'>; notices: PasskeyNotices },
  factors: WaitingDeps,
) {
  return operation({
    name: 'passkey.add',
    title: 'Add a passkey',
    summary:
      'Stores a passkey that a browser of the person has made, by which they sign in without a mail. They are told by mail.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'A passkey is added',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: 'POST /v1/passkeys',
    status: 201,
    input: {
      name: passkeyName,
      credential: Type.String({
        maxLength: passkeyLimits.answerLength,
        description: 'What the browser made, as the JSON text of PublicKeyCredential.toJSON().',
      }),
    },
    output: Type.Object({
      passkey_id: Type.String(),
      recovery_codes: Type.Optional(
        Type.Array(Type.String(), { description: 'With the first factor; shown this once.' }),
      ),
    }),

    async run(context, { name, credential }) {
      await checkOwnFactor(context)
      const { principal, write, now, origin } = context
      const { userId } = principal
      const sessionId = holderOf(principal)
      const use = { purpose: 'add', holder: sessionId } as const
      const made = await verifyMade(parts, { credential, use, now })
      const { challenge, ...key } = made
      const id = newId('passkey')
      return write(async (tx) => {
        await answerChallenge(tx, challenge, now)
        await lockUser(tx, userId)
        const isFirst = !hasFactor(await ownFactors(tx, userId))
        if ((await passkeysOf(tx, userId)).length >= passkeyLimits.count) throw tooMany()
        const passkey = { id, userId, name: name.trim(), now, ...key }
        if ((await insertPasskey(tx, passkey)) === 0) throw isKnown()
        await parts.notices.queue(tx, { userId, event: 'added', name: passkey.name, now })
        // Its maker was recognised by the authenticator.
        await proveSession(tx, sessionId, { by: 'passkey', with: id, now })
        if (isFirst) await beginWaiting(tx, factors, { userId, sessionId, now })
        await recordOfPerson(tx, { userId, action: 'passkey.add', origin }, now)
        const codes = await firstRecoveryCodes(tx, parts.vault, { userId, now })
        return { passkey_id: formatId('passkey', id), ...(codes && { recovery_codes: codes }) }
      })
    },
  })
}

const tooMany = () =>
  refuse('conflict', `You have ${passkeyLimits.count} passkeys, the most. Remove one first.`, {
    data: { reason: 'passkeys_full' },
  })

const isKnown = () =>
  refuse('conflict', 'This passkey is registered already.', { data: { reason: 'passkey_known' } })
