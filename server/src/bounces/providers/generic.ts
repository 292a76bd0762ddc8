/**
 * Our own format, for a system between us and the mailboxes. Requests are signed like our webhooks,
 * over the timestamp and the bytes of the body.
 */
import { createHmac } from 'node:crypto'
import { refuse } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { sameBytes } from '../../lib/crypto/vault.ts'
import { classify } from '../../lib/email/classify.ts'
import { seconds } from '../../lib/time/clock.ts'
import type { Report } from '../report.ts'
import {
  fieldsOf,
  jsonIn,
  momentOf,
  type Provider,
  type ProviderRequest,
  textOf,
} from './provider.ts'

/** The tolerated difference between a timestamp and now (as in contract 14.7). */
const toleranceMs = seconds(300)
/** The most events in one request. */
const mostEvents = 1_000

export function genericProvider({ secret, slug }: { secret: string; slug: string }): Provider {
  return {
    async read(request) {
      checkSignature(request, secret, `x-${slug}-signature`)
      const { events } = fieldsOf(jsonIn(request.body))
      if (!Array.isArray(events) || events.length > mostEvents) {
        const text = `Send {"events": [...]} with at most ${mostEvents} of them.`
        throw refuse('invalid_request', text, { field: 'events' })
      }
      const reports: Report[] = []
      for (const [i, event] of events.entries()) {
        const report = reportOf(event, request.now)
        if (typeof report === 'string') {
          throw refuse('invalid_request', report, { field: `events[${i}]` })
        }
        reports.push(report)
      }
      return reports
    },
  }
}

function checkSignature(request: ProviderRequest, secret: string, name: string): void {
  const signature = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(request.header(name) ?? '')
  const [, time = '', mac = ''] = signature ?? []
  const text = Buffer.concat([Buffer.from(`${time}.`), request.body])
  const expected = createHmac('sha256', secret).update(text).digest()
  if (!signature || !sameBytes(expected, Buffer.from(mac, 'hex'))) {
    const how = `Sign with ${name}: t=<seconds>,v1=<hex HMAC-SHA-256 of "<seconds>.<body>">.`
    throw refuse('unauthorized', `The signature is missing or wrong. ${how}`)
  }
  if (Math.abs(Number(time) * 1000 - request.now.getTime()) > toleranceMs) {
    throw refuse('unauthorized', 'The signature is older or newer than 300 seconds.')
  }
}

/** Returns the report, or a description of what is wrong with the event. */
function reportOf(value: unknown, now: Date): Report | string {
  const event = fieldsOf(value)
  const messageId = parseId('message', String(event['message_id']))
  const identity = textOf(event['id'])
  if (!messageId) return 'message_id is not one of a message, msg_….'
  if (!identity) return 'id is missing: it makes two copies of one event the same.'
  const words = textOf(event['text']) ?? ''
  const at = momentOf(event['at'], now)
  const common = { messageId, at, identity, source: 'provider generic', words }
  const machine = event['machine'] === true
  const kind = textOf(event['event'])
  switch (kind) {
    case 'delivered':
    case 'complained':
    case 'unsubscribed':
      return { ...common, event: kind }
    case 'bounced':
    case 'deferred': {
      const action = kind === 'bounced' ? 'failed' : 'delayed'
      const verdict = classify({ action, status: textOf(event['status']), text: words })
      return { ...common, event: kind, verdict }
    }
    case 'opened':
      return { ...common, event: kind, machine }
    case 'clicked': {
      const url = textOf(event['url'])
      return url === undefined ? 'url is missing.' : { ...common, event: kind, machine, url }
    }
    default:
      return 'event is one of delivered, bounced, deferred, complained, unsubscribed, opened, clicked.'
  }
}
