/**
 * Mailgun's webhooks. Its signature covers a timestamp and a token, not the rest of the body. So a
 * token is good for one body: whoever saw a notification cannot send another with its signature.
 */
import { createHmac } from 'node:crypto'
import { refuse } from '../../core/errors.ts'
import { sameBytes, sha256 } from '../../lib/crypto/vault.ts'
import { classify } from '../../lib/email/classify.ts'
import { hours, seconds } from '../../lib/time/clock.ts'
import type { Report } from '../report.ts'
import {
  type Fields,
  failureOf,
  fieldsOf,
  firstMessage,
  jsonIn,
  momentOf,
  type Provider,
  type ProviderRequest,
  textOf,
} from './provider.ts'

/** Mailgun repeats a notification for eight hours, perhaps with the timestamp of the first time. */
const oldestMs = hours(12)
/** How far Mailgun's clock may be ahead of ours. */
const aheadMs = seconds(300)
/** How many tokens are remembered, the latest of them: each takes about 200 bytes. */
const mostTokens = 20_000

export function mailgunProvider({ key }: { key: string }): Provider {
  /** The digests of the bodies, by their tokens in the order of arrival. */
  const bodies = new Map<string, string>()
  return {
    async read({ body, now }) {
      const payload = fieldsOf(jsonIn(body))
      const signature = fieldsOf(payload['signature'])
      checkSignature(signature, key, now)
      if (!isFirstUse(bodies, String(signature['token']), body)) {
        throw refuse('unauthorized', 'The signature belongs to another notification.')
      }
      return reportsOf(fieldsOf(payload['event-data']), now)
    },
  }
}

function checkSignature(signature: Fields, key: string, now: Date): void {
  const [timestamp, token] = [textOf(signature['timestamp']), textOf(signature['token'])]
  const received = Buffer.from(textOf(signature['signature']) ?? '', 'hex')
  const expected = createHmac('sha256', key).update(`${timestamp}${token}`).digest()
  if (timestamp === undefined || token === undefined || !sameBytes(received, expected)) {
    throw refuse('unauthorized', 'The signature does not match MAILGUN_KEY.')
  }
  const age = now.getTime() - Number(timestamp) * 1000
  if (age <= oldestMs && age >= -aheadMs) return
  throw refuse(
    'unauthorized',
    'The timestamp of the signature is older than 12 hours, or in the future.',
  )
}

function isFirstUse(
  bodies: Map<string, string>,
  token: string,
  body: ProviderRequest['body'],
): boolean {
  const digest = sha256(body).toString('base64')
  const cached = bodies.get(token)
  if (cached !== undefined) return cached === digest
  bodies.set(token, digest)
  const [oldest] = bodies.keys()
  if (bodies.size > mostTokens && oldest !== undefined) bodies.delete(oldest)
  return true
}

function reportsOf(event: Fields, now: Date): Report[] {
  const headers = fieldsOf(fieldsOf(event['message'])['headers'])
  const variables = fieldsOf(event['user-variables'])
  const messageId = firstMessage(variables['crier-message'], headers['message-id'])
  const identity = textOf(event['id'])
  if (!messageId || !identity) return []
  const status = fieldsOf(event['delivery-status'])
  const words = textOf(status['message']) ?? textOf(status['description']) ?? ''
  const at = momentOf(event['timestamp'], now)
  const common = { messageId, at, identity, source: 'provider mailgun', words }
  switch (event['event']) {
    case 'delivered':
    case 'complained':
    case 'unsubscribed':
      return [{ ...common, event: event['event'] }]
    case 'failed': {
      const code = Number(status['code'])
      const reply = { status: textOf(status['enhanced-code']), text: words }
      if (event['severity'] === 'temporary') {
        const verdict = classify({ ...reply, action: 'delayed', code })
        return [{ ...common, event: 'deferred', verdict }]
      }
      // Codes from 600 are Mailgun's own: it did not try.
      const wasTried = code >= 500 && code < 600
      const verdict = failureOf(wasTried ? 'permanent' : 'untried', reply)
      // Mailgun knows a no that we have missed.
      const isLeft = event['reason'] === 'suppress-unsubscribe'
      const unsubscribes: Report[] = isLeft ? [{ ...common, event: 'unsubscribed' }] : []
      return [{ ...common, event: 'bounced', verdict }, ...unsubscribes]
    }
    // Opens and clicks are counted by our own links and image.
    default:
      return []
  }
}
