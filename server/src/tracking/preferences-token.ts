/**
 * The token of a preferences page. It has all that the page and one-click unsubscribing need, since
 * a message is deleted after some months, and the link in the mail is to work for years.
 */
import type { Id } from '../core/ids.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { bytesOf, makeToken, readToken, uuidOf } from './token.ts'

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
