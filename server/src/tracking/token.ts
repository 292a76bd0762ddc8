/**
 * Tokens in links of mail: ids with a MAC, encoded for URLs. A token that was not made here causes
 * no query, and a token of one purpose is not accepted for another.
 */
import type { Id } from '../core/ids.ts'
import { sameBytes, type Vault } from '../lib/crypto/vault.ts'

export type Purpose = 'click' | 'open' | 'preferences' | 'confirmation' | 'view'

export interface TokenSubject {
  businessId: Id<'business'>
  messageId: Id<'message'>
  /** Data of the purpose, with a length within the bounds of the purpose. */
  rest: Buffer
}

const idBytes = 16
const macBytes = 12
/** The fewest and the most bytes that each purpose adds: see preferences-token.ts and view-token.ts. */
const restBytes: Record<Purpose, readonly [least: number, most: number]> = {
  click: [17, 17],
  open: [0, 0],
  preferences: [16, 49],
  confirmation: [16, 16],
  view: [0, 50],
}

/** The most characters of a token. */
export const tokenLength = (purpose: Purpose): number =>
  Math.ceil(((2 * idBytes + restBytes[purpose][1] + macBytes) * 4) / 3)

type Hmac = Pick<Vault, 'hmac' | 'movedHmacs'>

const macPurposeOf = (purpose: Purpose) => `mail-link.${purpose}`

/** The purposes of the vault's keys for all tokens. */
export const linkPurposes: readonly string[] = Object.keys(restBytes).map((purpose) =>
  macPurposeOf(purpose as Purpose),
)

/** The purposes of the vault's keys for the tokens that a thread makes. */
export const macPurposes: readonly string[] = (
  ['click', 'open', 'preferences', 'view'] as const
).map(macPurposeOf)

export function makeToken(
  vault: Hmac,
  purpose: Purpose,
  { rest, ...subject }: TokenSubject,
): string {
  return tokenMaker(vault, purpose, subject)(rest)
}

/** For a message with many links. Their common part is computed once. */
export function tokenMaker(
  vault: Hmac,
  purpose: Purpose,
  { businessId, messageId }: Omit<TokenSubject, 'rest'>,
): (rest: Buffer) => string {
  const [minimum, maximum] = restBytes[purpose]
  const bytes = Buffer.alloc(2 * idBytes + maximum + macBytes)
  bytes.set(bytesOf(businessId))
  bytes.set(bytesOf(messageId), idBytes)
  return (rest) => {
    if (rest.length < minimum || rest.length > maximum) {
      throw new RangeError(`a ${purpose} token of wrong length`)
    }
    bytes.set(rest, 2 * idBytes)
    const length = 2 * idBytes + rest.length
    wholeMacOf(vault, purpose, bytes.subarray(0, length)).copy(bytes, length, 0, macBytes)
    return bytes.toString('base64url', 0, length + macBytes)
  }
}

export function readToken(vault: Hmac, purpose: Purpose, token: string): TokenSubject | undefined {
  const bytes = Buffer.from(token, 'base64url')
  const length = bytes.length - macBytes
  const [minimum, maximum] = restBytes[purpose]
  if (length < 2 * idBytes + minimum || length > 2 * idBytes + maximum) return undefined
  // Only one spelling is accepted, although the decoder would ignore meaningless letters.
  if (bytes.toString('base64url') !== token) return undefined
  const body = bytes.subarray(0, length)
  const businessId = uuidOf<'business'>(body.subarray(0, idBytes))
  const mac = bytes.subarray(length)
  const isOurs =
    sameBytes(macOf(vault, purpose, body), mac) ||
    // A link from before its business was moved here.
    vault
      .movedHmacs?.(businessId, macPurposeOf(purpose), body)
      .some((moved) => sameBytes(moved.subarray(0, macBytes), mac))
  if (!isOurs) return undefined
  return {
    businessId,
    messageId: uuidOf<'message'>(body.subarray(idBytes, 2 * idBytes)),
    rest: body.subarray(2 * idBytes),
  }
}

function macOf(vault: Hmac, purpose: Purpose, body: Buffer): Buffer {
  return wholeMacOf(vault, purpose, body).subarray(0, macBytes)
}

function wholeMacOf(vault: Hmac, purpose: Purpose, body: Buffer): Buffer {
  return vault.hmac(macPurposeOf(purpose), body)
}

export function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex')
}

export function uuidOf<
  N extends 'business' | 'message' | 'contact' | 'confirmation' | 'campaign' | 'templateVersion',
>(bytes: Buffer): Id<N> {
  const hex = bytes.toString('hex')
  const parts = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20)]
  return `${parts.join('-')}-${hex.slice(20)}` as Id<N>
}
