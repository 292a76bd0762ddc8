/** SendGrid's event webhook, signed by ECDSA over the timestamp and the bytes of the body. */
import { type KeyObject, verify } from 'node:crypto'
import { refuse } from '../../core/errors.ts'
import { classify, type Verdict } from '../../lib/email/classify.ts'
import type { Report } from '../report.ts'
import {
  type Fields,
  fieldsOf,
  firstMessage,
  jsonIn,
  momentOf,
  type Provider,
  type ProviderRequest,
  textOf,
} from './provider.ts'

const signatureHeader = 'x-twilio-email-event-webhook-signature'
const timestampHeader = 'x-twilio-email-event-webhook-timestamp'

export function sendgridProvider({ key }: { key: KeyObject }): Provider {
  return {
    async read(request) {
      if (!isSigned(request, key)) {
        throw refuse('unauthorized', 'The signature does not match SENDGRID_KEY.')
      }
      const events = jsonIn(request.body)
      if (!Array.isArray(events)) throw refuse('invalid_request', 'Send an array of events.')
      return events.flatMap((event) => reportsOf(event, request.now))
    },
  }
}

/** There is no time limit: a report that is sent again later is still true, and has no effect. */
function isSigned({ header, body }: ProviderRequest, key: KeyObject): boolean {
  const [signature, timestamp] = [header(signatureHeader), header(timestampHeader)]
  if (!signature || !timestamp) return false
  const text = Buffer.concat([Buffer.from(timestamp), body])
  return verify('sha256', text, key, Buffer.from(signature, 'base64'))
}

function reportsOf(value: unknown, now: Date): Report[] {
  const event = fieldsOf(value)
  const messageId = firstMessage(event['crier-message'], event['smtp-id'])
  const identity = textOf(event['sg_event_id'])
  if (!messageId || !identity) return []
  const words = textOf(event['reason']) ?? textOf(event['response']) ?? ''
  const at = momentOf(event['timestamp'], now)
  const common = { messageId, at, identity, source: 'provider sendgrid', words }
  switch (event['event']) {
    case 'delivered':
      return [{ ...common, event: 'delivered' }]
    case 'spamreport':
      return [{ ...common, event: 'complained' }]
    // That somebody joined a group again (`group_resubscribe`) is no consent.
    case 'unsubscribe':
    case 'group_unsubscribe':
      return [{ ...common, event: 'unsubscribed' }]
    case 'deferred':
      return [{ ...common, event: 'deferred', verdict: verdictOf('delayed', event, words) }]
    case 'bounce':
    case 'dropped':
      return [
        { ...common, event: 'bounced', verdict: verdictOf('failed', event, words) },
        ...(isLeft(event, words) ? [{ ...common, event: 'unsubscribed' as const }] : []),
      ]
    case 'open':
      return [{ ...common, event: 'opened', machine: event['sg_machine_open'] === true }]
    case 'click':
      return [{ ...common, event: 'clicked', machine: false, url: textOf(event['url']) }]
    default:
      return []
  }
}

/** SendGrid did not send because of a no that we have missed (`Unsubscribed Address`). */
function isLeft(event: Fields, words: string): boolean {
  return event['event'] === 'dropped' && words.toLowerCase().startsWith('unsubscribed')
}

/** A hard verdict becomes `unknown` if SendGrid blocked the mail or did not try to deliver it. */
function verdictOf(
  action: 'failed' | 'delayed',
  event: Readonly<Record<string, unknown>>,
  text: string,
): Verdict {
  const verdict = classify({ action, status: textOf(event['status']), text })
  const isSure = event['event'] === 'bounce' && event['type'] !== 'blocked'
  return verdict.kind === 'hard' && !isSure ? { ...verdict, kind: 'unknown' } : verdict
}
