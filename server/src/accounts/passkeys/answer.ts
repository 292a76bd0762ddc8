/**
 * Verifies what a browser answers for a passkey (WebAuthn, sections 7.1 and 7.2). A library checks
 * structure, origin, key and signature; what belongs to Crier is here: whose passkey it is, and that
 * its counter goes forward.
 */
import { isIP } from 'node:net'
import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import { type ChallengeUse, checkChallenge } from './challenge.ts'
import { algorithms, findPasskey, type Passkey, passkeyLimits } from './passkey.ts'

/** Where passkeys are used: they belong to the host of the app. */
export interface PasskeySite {
  appUrl: string
  baseUrl: string
  gatewayUrl: string
}

/**
 * The relying party's id (WebAuthn, section 5.1.3): the host of the app. Undefined where browsers
 * offer no passkeys: a network address is no such id, and without https only localhost is safe
 * (W3C Secure Contexts).
 */
export function relyingPartyOf({ appUrl }: Pick<PasskeySite, 'appUrl'>): string | undefined {
  const { hostname, protocol } = new URL(appUrl)
  if (isIP(hostname) !== 0 || hostname.startsWith('[')) return undefined
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return protocol === 'https:' || isLocal ? hostname : undefined
}

/** The origins whose pages may use the passkeys of the app (WebAuthn, section 5.11). */
export function originsOf({ appUrl, baseUrl, gatewayUrl }: PasskeySite): string[] {
  return [...new Set([appUrl, baseUrl, gatewayUrl].map((url) => new URL(url).origin))]
}

export interface AnswerParts {
  vault: Pick<Vault, 'hmac'>
  site: PasskeySite
}

export interface Answer {
  /** What the browser answered, as JSON (`PublicKeyCredential.toJSON`). */
  credential: string
  use: ChallengeUse
  now: Date
}

interface AnswerFields {
  id: string
  challenge: string
  userHandle: string | undefined
  transports: string[]
  json: Record<string, unknown>
}

/** A passkey that a browser made, verified. */
export interface MadePasskey
  extends Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'> {
  challenge: string
}

export async function verifyMade(
  { vault, site }: AnswerParts,
  answer: Answer,
): Promise<MadePasskey> {
  const named = readAnswer(answer.credential)
  checkChallenge(vault, answer.use, { challenge: named.challenge, now: answer.now })
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: named.json as never,
    expectedChallenge: named.challenge,
    expectedOrigin: originsOf(site),
    expectedRPID: partyOf(site),
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => ({ verified: false, registrationInfo: undefined }))
  if (!verified || !registrationInfo) throw notAccepted()
  const { id, publicKey, counter } = registrationInfo.credential
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    counter,
    transports: named.transports,
    challenge: named.challenge,
  }
}

/** A use of a passkey, verified. Its challenge and counter are still to be written. */
export interface PasskeyUse {
  passkey: Passkey
  counter: number
  challenge: string
}

/** Verifies the use of a passkey: of this person, or before a sign-in of whoever it belongs to. */
export async function verifyUse(
  db: Db,
  { vault, site }: AnswerParts,
  answer: Answer & { userId?: Id<'user'> },
): Promise<PasskeyUse> {
  const named = readAnswer(answer.credential)
  const { challenge, userHandle } = named
  checkChallenge(vault, answer.use, { challenge, now: answer.now })
  const passkey = await findPasskey(db, Buffer.from(named.id, 'base64url'))
  const isOwners =
    passkey !== undefined &&
    (answer.userId === undefined || passkey.userId === answer.userId) &&
    (userHandle === undefined || userHandle === handleOf(passkey.userId))
  if (!passkey || !isOwners) throw unknown()
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: named.json as never,
    expectedChallenge: challenge,
    expectedOrigin: originsOf(site),
    expectedRPID: partyOf(site),
    // The counter is judged below, where its owner can be told.
    credential: {
      id: named.id,
      publicKey: Uint8Array.from(passkey.publicKey),
      counter: 0,
    },
    requireUserVerification: true,
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  if (!verified || !authenticationInfo) throw notAccepted()
  return { passkey, counter: authenticationInfo.newCounter, challenge }
}

/**
 * Whether the counter went back or stood still (WebAuthn, section 6.1.1): then a copy of the key may
 * be in use. Authenticators that do not count send 0.
 */
export function wentBack({ passkey, counter }: PasskeyUse): boolean {
  return (counter > 0 || passkey.counter > 0) && counter <= passkey.counter
}

/** The person's handle, which their authenticators keep (WebAuthn, section 5.4.3). */
export function handleOf(userId: Id<'user'>): string {
  return Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url')
}

function partyOf(site: PasskeySite): string {
  const party = relyingPartyOf(site)
  if (party !== undefined) return party
  const text = `Passkeys need an address with https and a host name, and ${new URL(site.appUrl).origin} is none. Sign in by mail.`
  throw refuse('conflict', text, { data: { reason: 'passkeys_need_https' } })
}

/** Known transports (WebAuthn, section 5.8.4); a browser may send others. */
const transports = new Set(['usb', 'nfc', 'ble', 'smart-card', 'hybrid', 'internal'])

/** The parts of an answer by which the rest is looked up. All of it is a stranger's text. */
function readAnswer(credential: string): AnswerFields {
  const json = objectIn(credential.length <= passkeyLimits.answerLength ? credential : '')
  const response = json['response'] as Record<string, unknown> | undefined
  const client = objectIn(
    Buffer.from(textOf(response?.['clientDataJSON']), 'base64url').toString('utf8'),
  )
  const id = textOf(json['id'])
  const challenge = textOf(client['challenge'])
  if (id === '' || challenge === '') throw notAccepted()
  const sent = response?.['transports']
  const userHandle = textOf(response?.['userHandle'])
  return {
    id,
    challenge,
    userHandle: userHandle === '' ? undefined : userHandle,
    transports: Array.isArray(sent)
      ? [...transports].filter((transport) => sent.includes(transport))
      : [],
    json,
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function objectIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

const notAccepted = (): Refusal =>
  refuse('access_denied', 'The passkey was not accepted. Use it again, or sign in by mail.', {
    data: { reason: 'passkey_not_accepted' },
  })

const unknown = (): Refusal =>
  refuse(
    'access_denied',
    'This passkey belongs to nobody here. It may have been removed: choose another, or sign in by mail.',
    { data: { reason: 'passkey_unknown' } },
  )
