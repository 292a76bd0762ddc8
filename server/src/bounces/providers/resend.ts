/** Resend's webhooks, which Svix signs and delivers, each with one event. */
import { createHmac } from 'node:crypto'
import { refuse } from '../../core/errors.ts'
import { sameBytes } from '../../lib/crypto/vault.ts'
import { classify } from '../../lib/email/classify.ts'
import { seconds } from '../../lib/time/clock.ts'
import type { Report } from '../report.ts'
import {
  type Certainty,
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

/** The tolerated difference between the timestamp and now; each repetition is signed anew. */
const toleranceMs = seconds(300)
/** The most signatures of a request that are tried: one for each secret while it is rotated. */
const mostSignatures = 10

export function resendProvider({ key }: { key: Buffer }): Provider {
  return {
    async read(request) {
      const id = request.header('svix-id') ?? ''
      checkSignature(request, id, key)
      const event = fieldsOf(jsonIn(request.body))
      if (textOf(event['type']) === undefined) {
        throw refuse('invalid_request', 'Send an event of Resend, with its type.')
      }
      const report = reportOf(event, id, request.now)
      return report ? [report] : []
    },
  }
}

function checkSignature({ header, body, now }: ProviderRequest, id: string, key: Buffer): void {
  const timestamp = header('svix-timestamp') ?? ''
  const expected = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
  const isSigned = (header('svix-signature') ?? '')
    .split(' ', mostSignatures)
    .some(
      (part) => part.startsWith('v1,') && sameBytes(Buffer.from(part.slice(3), 'base64'), expected),
    )
  if (id === '' || !isSigned) {
    throw refuse('unauthorized', 'The signature does not match RESEND_KEY.')
  }
  const difference = Math.abs(now.getTime() - Number(timestamp) * 1000)
  if (difference <= toleranceMs) return
  throw refuse('unauthorized', 'The signature is older or newer than 300 seconds.')
}

function reportOf(event: Fields, identity: string, now: Date): Report | undefined {
  const data = fieldsOf(event['data'])
  const messageId = messageOf(data)
  if (!messageId) return undefined
  const bounce = fieldsOf(event['type'] === 'email.failed' ? data['failed'] : data['bounce'])
  const words = wordsOf(bounce)
  const at = momentOf(event['created_at'], now)
  const common = { messageId, at, identity, source: 'provider resend', words }
  switch (event['type']) {
    case 'email.delivered':
      return { ...common, event: 'delivered' }
    case 'email.complained':
      return { ...common, event: 'complained' }
    case 'email.delivery_delayed':
      return { ...common, event: 'deferred', verdict: classify({ action: 'delayed', text: words }) }
    case 'email.bounced':
      return {
        ...common,
        event: 'bounced',
        verdict: failureOf(certaintyOf(bounce), { text: words }),
      }
    case 'email.suppressed':
    case 'email.failed':
      return { ...common, event: 'bounced', verdict: failureOf('untried', { text: words }) }
    // Opens and clicks are counted by our own links and image.
    default:
      return undefined
  }
}

/** By the header that its relay is told, or by the Message-ID that was kept. */
function messageOf(data: Fields) {
  const headers = Array.isArray(data['headers']) ? data['headers'].map(fieldsOf) : []
  const headerOf = (name: string) =>
    headers.find((header) => String(header['name']).toLowerCase() === name)?.['value']
  const sentAlong = headerOf('x-crier-message') ?? fieldsOf(data['tags'])['crier-message']
  return firstMessage(sentAlong, headerOf('message-id') ?? data['message_id'])
}

function wordsOf(bounce: Fields): string {
  const codes = bounce['diagnosticCode']
  const code = textOf(Array.isArray(codes) ? codes[0] : codes)?.trim() ?? ''
  const reply = code.startsWith('smtp;') ? code.slice('smtp;'.length).trimStart() : code
  return reply || (textOf(bounce['message']) ?? textOf(bounce['reason']) ?? '')
}

/** Resend has the types of SES. An address on its suppression list was not tried. */
function certaintyOf({ type, subType }: Fields): Certainty {
  if (type === 'Permanent') return subType === 'Suppressed' ? 'untried' : 'permanent'
  return type === 'Transient' ? 'temporary' : 'unsure'
}
