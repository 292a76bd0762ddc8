/**
 * Tokens in links of mail: ids with a MAC, encoded for URLs. A token that was not made here causes
 * no query, and a token of one purpose is not accepted for another. Those of the preferences page and
 * of the view in a browser hold all that these pages need, since a message is deleted after some
 * months, and its links are to work for years.
 */

import type { Id } from '../core/ids.ts'
import { sameBytes, type Vault } from '../lib/crypto/vault.ts'

type Purpose = 'click' | 'open' | 'preferences' | 'confirmation' | 'view'

export interface TokenSubject {
  businessId: Id<'business'>
  messageId: Id<'message'>
  /** Data of the purpose, with a length within the bounds of the purpose. */
  rest: Buffer
}

const idBytes = 16

const macBytes = 12

/** The fewest and the most bytes that each purpose adds: what its token says besides the ids. */
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

export interface PreferencesSubject {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  messageId: Id<'message'>
  channel: 'email' | 'sms'
  /**
   * The key of the message's topic, null if it has none. Undefined in tokens from before 29 November
   * 2026, which had the contact alone: what the message says holds for them while it exists.
   */
  topic: string | null | undefined
}

const contactBytes = 16

/** Stored in tokens, so the order never changes. */
const channelsInTokens = ['email', 'sms'] as const

export function makePreferencesToken(
  vault: Pick<Vault, 'hmac'>,
  { contactId, channel, topic, ...message }: PreferencesSubject,
): string {
  const parts = [bytesOf(contactId)]
  if (topic !== undefined) {
    parts.push(Buffer.from([channelsInTokens.indexOf(channel)]), Buffer.from(topic ?? ''))
  }
  return makeToken(vault, 'preferences', { ...message, rest: Buffer.concat(parts) })
}

export function readPreferencesToken(
  vault: Pick<Vault, 'hmac' | 'movedHmacs'>,
  token: string,
): PreferencesSubject | undefined {
  const subject = readToken(vault, 'preferences', token)
  if (!subject) return undefined
  const { businessId, messageId, rest } = subject
  const contactId = uuidOf<'contact'>(rest.subarray(0, contactBytes))
  const ids = { businessId, messageId, contactId }
  if (rest.length === contactBytes) return { ...ids, channel: 'email', topic: undefined }
  const channel = channelsInTokens[rest[contactBytes] ?? 0] ?? 'email'
  const topic = rest.toString('utf8', contactBytes + 1)
  return { ...ids, channel, topic: topic === '' ? null : topic }
}

interface ViewedCampaign {
  contactId: Id<'contact'>
  campaignId: Id<'campaign'>
  templateVersionId: Id<'templateVersion'>
  /** The bits of the filters that its recipient fitted; null where the template has none. */
  shownBlocks: number | null
}

interface ViewSubject {
  businessId: Id<'business'>
  messageId: Id<'message'>
  campaign: ViewedCampaign | undefined
}

const idsBytes = 3 * 16

export function makeViewToken(
  vault: Pick<Vault, 'hmac'>,
  { campaign, ...message }: ViewSubject,
): string {
  const rest = campaign ? restOf(campaign) : Buffer.alloc(0)
  return makeToken(vault, 'view', { ...message, rest })
}

function restOf({ contactId, campaignId, templateVersionId, shownBlocks }: ViewedCampaign): Buffer {
  const ids = [contactId, campaignId, templateVersionId].map(bytesOf)
  if (shownBlocks === null) return Buffer.concat(ids)
  const bits = Buffer.alloc(2)
  bits.writeInt16BE(shownBlocks)
  return Buffer.concat([...ids, bits])
}

export function readViewToken(
  vault: Parameters<typeof readToken>[0],
  token: string,
): ViewSubject | undefined {
  const { rest, ...message } = readToken(vault, 'view', token) ?? {}
  if (rest === undefined) return undefined
  const { businessId, messageId } = message as Pick<ViewSubject, 'businessId' | 'messageId'>
  if (rest.length === 0) return { businessId, messageId, campaign: undefined }
  if (rest.length !== idsBytes && rest.length !== idsBytes + 2) return undefined
  const campaign: ViewedCampaign = {
    contactId: uuidOf<'contact'>(rest.subarray(0, 16)),
    campaignId: uuidOf<'campaign'>(rest.subarray(16, 32)),
    templateVersionId: uuidOf<'templateVersion'>(rest.subarray(32, idsBytes)),
    shownBlocks: rest.length > idsBytes ? rest.readInt16BE(idsBytes) : null,
  }
  return { businessId, messageId, campaign }
}
