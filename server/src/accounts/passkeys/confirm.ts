/** A person who is signed in uses a passkey, which proves that it is still they. */
import { refuse } from '../../core/errors.ts'
import { operation } from '../../core/operation.ts'
import type { Database, Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { proveSession } from '../sign-in/session.ts'
import { type AnswerParts, type PasskeyUse, verifyUse, wentBack } from './answer.ts'
import { answerChallenge } from './challenge.ts'
import type { PasskeyNotices } from './notice.ts'
import { countPasskeyUse, passkeyLimits } from './passkey.ts'
import { holderOf } from './start.ts'

export function passkeyConfirm(parts: AnswerParts & { db: Database; notices: PasskeyNotices }) {
  return operation({
    name: 'passkey.confirm',
    title: 'Confirm with a passkey',
    summary:
      'Records that the person used a passkey in this session just now, as some acts require.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
    rest: 'POST /v1/passkeys/confirm',
    input: {
      credential: Type.String({
        maxLength: passkeyLimits.answerLength,
        description: 'What the browser answered, as the JSON text of PublicKeyCredential.toJSON().',
      }),
    },
    output: Type.Object({ confirmed_at: Type.String() }),

    async run({ db, principal, write, now }, { credential }) {
      const sessionId = holderOf(principal)
      const { userId } = principal
      const purpose = { purpose: 'confirm', holder: sessionId } as const
      const use = await verifyUse(db, parts, { credential, use: purpose, userId, now })
      await refuseCopy(parts, use, now)
      return write(async (tx) => {
        await countUse(tx, use, now)
        await proveSession(tx, sessionId, { by: 'passkey', with: use.passkey.id, now })
        return { confirmed_at: now.toISOString() }
      })
    },
  })
}

/**
 * Throws a refusal where the counter shows that a copy of the passkey may be in use, and tells the
 * person by mail. The mail is queued although the call is refused.
 */
export async function refuseCopy(
  { db, notices }: { db: Database; notices: PasskeyNotices },
  use: PasskeyUse,
  now: Date,
): Promise<void> {
  if (!wentBack(use)) return
  const { userId, name } = use.passkey
  await db.tx((tx) => notices.queue(tx, { userId, event: 'copied', name, now }))
  const text =
    'This passkey returned an outdated counter, which can mean it was cloned. Sign in by mail, and remove it if you are not sure of it.'
  throw refuse('access_denied', text, { data: { reason: 'passkey_copied' } })
}

/** Takes the answer, once, and counts the use of the passkey. */
export async function countUse(tx: Tx, use: PasskeyUse, now: Date): Promise<void> {
  await answerChallenge(tx, use.challenge, now)
  const { passkey, counter } = use
  if ((await countPasskeyUse(tx, passkey, { counter, now })) === 1) return
  throw refuse('conflict', 'This passkey was used or removed at the same moment. Try again.', {
    data: { reason: 'passkey_late' },
  })
}
