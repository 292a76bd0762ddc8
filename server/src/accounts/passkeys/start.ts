/** What a browser of the person needs to make a passkey, or to use one. */
import { refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { operation, type PersonContext } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { emailOf } from '../members/user.ts'
import { type AnswerParts, handleOf, relyingPartyOf } from './answer.ts'
import { challengeLifetime, newChallenge } from './challenge.ts'
import { algorithms, passkeysOf } from './passkey.ts'

export function passkeyStart({ vault, site }: AnswerParts) {
  return operation({
    name: 'passkey.start',
    title: 'Ask a browser for a passkey',
    summary:
      'Gives a browser of the person what it needs to make a passkey, or to use one. The answer is taken once, within five minutes.',
    reach: 'person',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: true, destructive: false, idempotent: false, openWorld: false },
    rest: 'POST /v1/passkeys/start',
    input: { purpose: Type.Enum(['add', 'confirm'], { description: 'To make one, or use one.' }) },
    output: Type.Object({
      options: Type.Union([Type.String(), Type.Null()], {
        description:
          'The JSON text of PublicKeyCredentialCreationOptionsJSON or …RequestOptionsJSON (WebAuthn); null where browsers offer no passkeys for this address.',
      }),
    }),

    async run({ db, principal, now }, { purpose }) {
      const party = relyingPartyOf(site)
      if (party === undefined) return { options: null }
      const holder = holderOf(principal)
      const challenge = newChallenge(vault, { purpose, holder }, now)
      const own = await passkeysOf(db, principal.userId)
      const credentials = own.map(({ credentialId, transports }) => ({
        type: 'public-key',
        id: credentialId.toString('base64url'),
        transports,
      }))
      if (purpose === 'confirm') {
        return { options: JSON.stringify(requestOptions(party, challenge, credentials)) }
      }
      const email = (await emailOf(db, principal.userId)) ?? ''
      const options = {
        rp: { id: party, name: 'Crier' },
        user: { id: handleOf(principal.userId), name: email, displayName: email },
        challenge,
        pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key', alg })),
        timeout: challengeLifetime,
        attestation: 'none',
        excludeCredentials: credentials,
        authenticatorSelection: {
          residentKey: 'required',
          requireResidentKey: true,
          userVerification: 'required',
        },
      }
      return { options: JSON.stringify(options) }
    },
  })
}

/** What a browser needs to use a passkey (WebAuthn, section 5.5). */
export function requestOptions(
  rpId: string,
  challenge: string,
  allowCredentials: readonly Record<string, unknown>[] = [],
): Record<string, unknown> {
  const timeout = challengeLifetime
  return { rpId, challenge, timeout, allowCredentials, userVerification: 'required' }
}

/** Passkeys are asked for by a session, which a page that the server renders has too. */
export function holderOf({ sessionId }: PersonContext['principal']): Id<'session'> {
  if (sessionId !== undefined) return sessionId
  throw refuse('unauthorized', 'Passkeys are managed by a person who is signed in to the app.')
}
