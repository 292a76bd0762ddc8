/** Providers that relay our mail and report its outcome by HTTP. */

import { refuse } from '../../core/errors.ts'
import { type Id, parseId } from '../../core/ids.ts'
import { sameBytes, sha256 } from '../../lib/crypto/vault.ts'
import { classify, type Verdict } from '../../lib/email/classify.ts'
import { type BounceCause, kindOfCause } from '../../lib/email/reply-words.ts'
import type { Report } from '../report.ts'

export interface ProviderRequest {
  header(name: string): string | undefined
  /** The raw body, because signatures cover its bytes. */
  body: Buffer
  now: Date
}

export interface Provider {
  /** Reads the reports if the signature is valid. Reports on mail of others are left out. */
  read(request: ProviderRequest): Promise<Report[]>
}

/** Parses the JSON of a body; undefined if it is not JSON. */
export function jsonIn(body: Buffer | string): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}

/** The fields of a JSON object that a provider sent. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of an object; any other value has none. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The time that a provider names, in ISO 8601 or in seconds; now if it is not valid. */
export function momentOf(value: unknown, now: Date): Date {
  const at = typeof value === 'number' ? new Date(value * 1000) : new Date(String(value))
  // A time in the future is impossible: the provider's clock is wrong, or ours.
  return Number.isNaN(at.getTime()) || at > now ? now : at
}

/** Finds the message with this Message-ID: `<msg_…@domain>`, as we sent it. */
export function messageIn(messageId: unknown): Id<'message'> | undefined {
  const match = /^<?(msg_[0-9a-z]{26})@/.exec(textOf(messageId)?.trim() ?? '')
  return match?.[1] === undefined ? undefined : parseId('message', match[1])
}

/** Finds the message by the id that we sent along, or by its Message-ID. */
export function firstMessage(sentAlong: unknown, messageId?: unknown): Id<'message'> | undefined {
  return parseId('message', textOf(sentAlong)?.trim() ?? '') ?? messageIn(messageId)
}

/** The notifications in a body: one, or an array of them; undefined if it has neither. */
export function notificationsIn(body: Buffer): Fields[] | undefined {
  const json = jsonIn(body)
  if (Array.isArray(json)) return json.map(fieldsOf)
  return typeof json === 'object' && json !== null ? [fieldsOf(json)] : undefined
}

/**
 * What a provider says of a failure itself: the address does not work, or it may work later, or the
 * provider does not say, or it did not even try, so that its words are about nobody's refusal.
 */
export type Certainty = 'permanent' | 'temporary' | 'unsure' | 'untried'

/** The verdict on a failed message, by the receiver's words and by what the provider knows. */
export function failureOf(
  certainty: Certainty,
  reply: { status?: string | undefined; code?: number | undefined; text: string },
): Verdict {
  const verdict = classify({ ...reply, action: 'failed' })
  const { kind } = verdict
  if (certainty === 'permanent' && kind === 'unknown') return withCause(verdict, 'recipient')
  if (certainty === 'untried') return withCause(verdict, 'unknown')
  if (certainty === 'unsure' && kind === 'hard') return withCause(verdict, 'unknown')
  const isDoubtful = kind === 'hard' || kind === 'unknown'
  return certainty === 'temporary' && isDoubtful ? withCause(verdict, 'temporary') : verdict
}

/** The verdict with what the provider knows in place of what the words say. */
export function withCause(verdict: Verdict, cause: BounceCause): Verdict {
  return { ...verdict, kind: kindOfCause[cause], cause, missing: [] }
}

/** Throws a refusal unless the request has this `user:password` (RFC 7617). */
export function checkLogin({ header }: ProviderRequest, login: string, setting: string): void {
  const received = header('authorization') ?? ''
  const expected = `Basic ${Buffer.from(login).toString('base64')}`
  // Their digests are equally long, so that the comparison does not tell the length.
  if (sameBytes(sha256(received), sha256(expected))) return
  const how = `Give the provider https://USER:PASSWORD@…, with those of ${setting}.`
  throw refuse('unauthorized', `User and password are missing or wrong. ${how}`)
}
