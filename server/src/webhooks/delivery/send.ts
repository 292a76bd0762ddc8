/** The request of one attempt: its headers and signature, and the meaning of its response. */
import { createHmac, type KeyObject } from 'node:crypto'
import { formatId, type Id } from '../../core/ids.ts'
import type { EventTypeName } from '../../events/catalog.ts'
import type { OutboundFailure } from '../../lib/http-client/outbound-failure.ts'
import type { Outbound, OutboundAnswer } from '../../lib/http-client/outbound-fetch.ts'
import { observed, traceHeaders } from '../../lib/observing/observed.ts'
import type { Clock } from '../../lib/time/clock.ts'
import type { AttemptFailure, AttemptResult } from '../model/attempt.ts'
import type { SealedSecret } from '../model/secrets.ts'
import { deliveryLimits } from '../model/webhook.ts'
import type { Begun } from './begin.ts'
import type { Target } from './subscription-queries.ts'

export interface SendDeps {
  clock: Clock
  slug: string
  /** Opens the HMAC key of a sealed secret. */
  keyOf: (secret: SealedSecret) => KeyObject
  outbound: { get(): Promise<Pick<Outbound, 'fetch'>> }
}

/** A receiver's behaviour never makes it throw. */
export async function send(
  deps: SendDeps,
  { id, delivery, target, body }: Begun,
): Promise<AttemptResult> {
  const { clock, keyOf, slug, outbound } = deps
  if (typeof body !== 'string') {
    return failed(body === null ? 'erased' : 'expired', clock.now())
  }
  const { fetch } = await outbound.get()
  const at = clock.now()
  const keys = keysAt(keyOf, target, at)
  const headers = deliveryHeaders({ slug, id, type: delivery.type, body, keys, at })
  const post = async () => {
    const answer = await fetch({
      url: target.url,
      method: 'POST',
      headers: { ...headers, ...traceHeaders() },
      body,
      deadlineMs: deliveryLimits.answerMs,
      bodyMs: deliveryLimits.bodyMs,
      maxBytes: deliveryLimits.readBytes,
    })
    return resultOf(answer, clock.now())
  }
  const work = {
    kind: 'delivery',
    name: delivery.type,
    resultOf: wordFor,
    event: delivery,
  } as const
  const result = await observed(work, post)
  const signature = headers[`x-${slug}-signature`] ?? null
  return { ...result, signature }
}

const wordFor = ({ outcome, failure }: AttemptResult): string => failure ?? outcome

/** Evaluated when the request is signed, so a secret that has expired meanwhile signs nothing. */
function keysAt(keyOf: SendDeps['keyOf'], { webhookId, secrets }: Target, at: Date): KeyObject[] {
  return secrets
    .filter(({ expiresAt }) => expiresAt === null || new Date(expiresAt) > at)
    .map(({ version, sealed }) => {
      return keyOf({ webhookId, version, sealed: Buffer.from(sealed, 'base64') })
    })
}

/** The data that a delivery's headers contain and sign. */
interface ToSign {
  /** The first part of the headers' names. */
  slug: string
  id: Id<'delivery'>
  type: EventTypeName
  /** The event's own bytes. */
  body: string
  /** The secrets' keys that sign now, newest first. There are several only in a grace period. */
  keys: readonly KeyObject[]
  at: Date
}

/** Exactly as in the contract ("Planned delivery", "Signature"). */
function deliveryHeaders({ slug, id, type, body, keys, at }: ToSign) {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = keys.map((key) => `v1=${hmacOf(key, `${timestamp}.${body}`)}`)
  return {
    'content-type': 'application/json',
    'user-agent': 'Crier-Webhooks/1',
    [`x-${slug}-event`]: type,
    [`x-${slug}-delivery`]: formatId('delivery', id),
    [`x-${slug}-timestamp`]: timestamp,
    [`x-${slug}-signature`]: [`t=${timestamp}`, ...signatures].join(','),
  }
}

/** The key is the bytes of the whole secret, including its prefix, without decoding. */
function hmacOf(key: KeyObject, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex')
}

/** The headers of a 2xx decide. A fault in the body after them changes nothing. */
function resultOf(answer: OutboundAnswer | OutboundFailure, endedAt: Date): AttemptResult {
  if (answer.outcome === 'failed') return failed(answer.reason, endedAt)
  const { status, body } = answer
  const response = body.length === 0 ? null : body.subarray(0, deliveryLimits.keptBytes)
  const answered = { endedAt, signature: null, status, response }
  if (status >= 200 && status < 300) return { ...answered, outcome: 'delivered', failure: null }
  const failure = status >= 300 && status < 400 ? 'redirect' : 'status'
  return { ...answered, outcome: 'failed', failure }
}

function failed(failure: AttemptFailure, endedAt: Date): AttemptResult {
  return { outcome: 'failed', endedAt, signature: null, status: null, failure, response: null }
}
