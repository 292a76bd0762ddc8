/** An attempt of the log as callers see it. */

import { formatId, timeOf } from '../../core/ids.ts'
import { untrusted } from '../../core/untrusted.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { seconds } from '../../lib/time/clock.ts'
import type { ListedLetter } from '../delivery/dead-letter-queries.ts'
import { attemptCauses } from '../model/delivery.ts'
import { errorOf, lastError } from '../model/last-error.ts'
import { deliveryLimits } from '../model/webhook.ts'
import type { LogRow } from './log-queries.ts'

export const deliveryIdInput = Type.String({
  description: 'The delivery, dlv_….',
  pattern: '^dlv_[0-9a-hjkmnp-tv-z]{26}$',
})

/** `interrupted`: its worker stopped during it, and the attempt is made again under another id. */
const states = ['waiting', 'sending', 'delivered', 'failed', 'interrupted'] as const

export const attemptView = Type.Object({
  delivery_id: Type.String(),
  event_id: Type.String(),
  type: Type.String(),
  attempt: Type.Integer(),
  state: Type.Enum(states),
  replay_of: Type.Optional(Type.String()),
  cause: Type.Optional(Type.Enum(attemptCauses)),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  ended_at: Type.Optional(Type.String()),
  duration_ms: Type.Optional(Type.Integer()),
  response_status: Type.Optional(Type.Integer()),
  error: Type.Optional(lastError),
  next_attempt_at: Type.Optional(Type.String()),
})

/** The attempt that was requested by its id. */
export const wholeAttempt = Type.Object({
  ...attemptView.properties,
  request: Type.Optional(
    Type.Object({
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
      untrusted: untrusted({
        body: Type.Optional(Type.String()),
      }),
    }),
  ),
  response: Type.Optional(
    Type.Object({
      status: Type.Integer(),
      untrusted: untrusted({ body: Type.String() }),
    }),
  ),
})

/** Twice as long as any attempt takes. */
const longestMs = 2 * (deliveryLimits.answerMs + deliveryLimits.bodyMs) + seconds(3)

export function viewOfAttempt(row: LogRow, now: Date): Static<typeof attemptView> {
  const { endedAt, begunAt, failure, status, nextAttemptAt } = row
  return {
    delivery_id: formatId('delivery', row.id),
    event_id: formatId('event', row.eventId),
    type: row.type,
    attempt: row.attempt,
    state: stateOf(row, now),
    ...(row.cause && { cause: row.cause }),
    ...(row.replayOf && { replay_of: formatId('delivery', row.replayOf) }),
    created_at: row.createdAt.toISOString(),
    ...(endedAt && { ended_at: endedAt.toISOString() }),
    ...(endedAt && begunAt && { duration_ms: endedAt.getTime() - begunAt.getTime() }),
    ...(status !== null && { response_status: status }),
    ...(failure && { error: errorOf({ failure, status }) }),
    ...(nextAttemptAt && { next_attempt_at: nextAttemptAt.toISOString() }),
  }
}

/** The last attempt of an event that is a dead letter. Its id has the time of its claim. */
export function viewOfLetter(letter: ListedLetter): Static<typeof attemptView> {
  return {
    delivery_id: formatId('delivery', letter.id),
    event_id: formatId('event', letter.eventId),
    type: letter.type,
    attempt: letter.attempts,
    state: 'failed',
    created_at: timeOf(letter.id).toISOString(),
    ended_at: letter.failedAt.toISOString(),
    ...(letter.status !== null && { response_status: letter.status }),
    error: errorOf(letter),
  }
}

function stateOf({ outcome, begunAt }: LogRow, now: Date): (typeof states)[number] {
  if (outcome) return outcome
  if (!begunAt) return 'waiting'
  return now.getTime() - begunAt.getTime() > longestMs ? 'interrupted' : 'sending'
}

interface Facts {
  slug: string
  now: Date
  /** Undefined if it is past its retention, or if this caller may not see it. */
  body: string | undefined
}

/** The attempt with its request and its response. */
export function wholeViewOf(row: LogRow, { slug, now, body }: Facts): Static<typeof wholeAttempt> {
  const { url, signature, status, response } = row
  return {
    ...viewOfAttempt(row, now),
    ...(url !== null && {
      request: {
        url,
        headers: headersOf(row, slug, signature),
        untrusted: { ...(body !== undefined && { body: firstOf(Buffer.from(body)) }) },
      },
    }),
    ...(status !== null && {
      response: { status, untrusted: { body: firstOf(response ?? Buffer.alloc(0)) } },
    }),
  }
}

function headersOf(row: LogRow, slug: string, signature: string | null): Record<string, string> {
  const timestamp = /^t=(\d+)/.exec(signature ?? '')?.[1]
  return {
    'content-type': 'application/json',
    [`x-${slug}-event`]: row.type,
    [`x-${slug}-delivery`]: formatId('delivery', row.id),
    ...(timestamp !== undefined && { [`x-${slug}-timestamp`]: timestamp }),
    ...(signature !== null && { [`x-${slug}-signature`]: signature }),
  }
}

/** Drops a character that the limit cuts in two, and NUL, which PostgreSQL cannot store. */
function firstOf(bytes: Buffer): string {
  const text = bytes.subarray(0, deliveryLimits.keptBytes).toString()
  return text.replaceAll('\0', '\uFFFD').toWellFormed()
}
