/** Brevo's webhooks of transactional mail. They are not signed: the URL has a password. */
import { refuse } from '../../core/errors.ts'
import { classify } from '../../lib/email/classify.ts'
import type { Report } from '../report.ts'
import {
  type Certainty,
  checkLogin,
  type Fields,
  failureOf,
  firstMessage,
  momentOf,
  notificationsIn,
  type Provider,
  textOf,
} from './provider.ts'

export function brevoProvider({ login }: { login: string }): Provider {
  return {
    async read(request) {
      checkLogin(request, login, 'BREVO_LOGIN')
      const events = notificationsIn(request.body)
      if (!events) throw refuse('invalid_request', 'Send a webhook of Brevo, or an array of them.')
      return events.flatMap((event) => reportsOf(event, request.now))
    },
  }
}

const failures = new Map<unknown, Certainty>([
  ['hard_bounce', 'permanent'],
  ['invalid_email', 'permanent'],
  ['soft_bounce', 'temporary'],
  ['blocked', 'untried'],
  ['error', 'unsure'],
])

function reportsOf(event: Fields, now: Date): Report[] {
  const messageId = firstMessage(event['X-Mailin-custom'], event['message-id'])
  if (!messageId) return []
  const seconds = secondsOf(event)
  const words = textOf(event['reason'])?.trim() ?? ''
  const at = seconds === undefined ? now : momentOf(seconds, now)
  // Brevo gives its events no id; of one message it reports each kind once at a time.
  const identity = JSON.stringify([event['event'], seconds ?? event['date']])
  const common = { messageId, at, identity, source: 'provider brevo', words }
  const kind = event['event']
  if (kind === 'delivered') return [{ ...common, event: 'delivered' }]
  if (kind === 'spam' || kind === 'complaint') return [{ ...common, event: 'complained' }]
  const unsubscribed: Report = { ...common, event: 'unsubscribed' }
  if (kind === 'unsubscribed' || kind === 'unsubscribe') return [unsubscribed]
  if (kind === 'deferred') {
    const verdict = classify({ action: 'delayed', text: words })
    return [{ ...common, event: 'deferred', verdict }]
  }
  const certainty = failures.get(kind)
  if (!certainty) return []
  const verdict = failureOf(certainty, { text: words })
  // `blocked : due to unsubscribed user`: Brevo knows a no that we have missed.
  const isLeft = kind === 'blocked' && words.toLowerCase().includes('unsubscribed')
  return [{ ...common, event: 'bounced', verdict }, ...(isLeft ? [unsubscribed] : [])]
}

/** `ts_epoch` alone is in UTC always; it has milliseconds, though an example shows seconds. */
function secondsOf(event: Fields): number | undefined {
  const epoch = event['ts_epoch'] ?? event['ts_event']
  if (typeof epoch !== 'number') return undefined
  return epoch > 1e11 ? epoch / 1000 : epoch
}
