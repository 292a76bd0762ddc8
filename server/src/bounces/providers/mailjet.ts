/**
 * Mailjet's event webhooks, one event or a group of them in a request. They are not signed: the URL
 * has a password.
 */
import { refuse } from '../../core/errors.ts'
import { classify, type Verdict } from '../../lib/email/classify.ts'
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
  withCause,
} from './provider.ts'

export function mailjetProvider({ login }: { login: string }): Provider {
  return {
    async read(request) {
      checkLogin(request, login, 'MAILJET_LOGIN')
      const events = notificationsIn(request.body)
      if (!events) throw refuse('invalid_request', 'Send an event of Mailjet, or an array.')
      return events.flatMap((event) => reportOf(event, request.now) ?? [])
    },
  }
}

function reportOf(event: Fields, now: Date): Report | undefined {
  const messageId = firstMessage(event['CustomID'])
  if (!messageId) return undefined
  const words = wordsOf(event)
  const at = momentOf(event['time'], now)
  // Mailjet gives its events no id; of one message it reports each kind once at a time.
  const identity = JSON.stringify([event['event'], event['time']])
  const common = { messageId, at, identity, source: 'provider mailjet', words }
  switch (event['event']) {
    case 'sent':
      return { ...common, event: 'delivered' }
    case 'spam':
      return { ...common, event: 'complained' }
    case 'unsub':
      return { ...common, event: 'unsubscribed' }
    case 'bounce':
    case 'blocked': {
      // Mailjet tries again after greylisting, and says so only in its table of errors.
      if (event['event'] === 'bounce' && event['error'] === 'greylisted') {
        return {
          ...common,
          event: 'deferred',
          verdict: classify({ action: 'delayed', text: words }),
        }
      }
      return { ...common, event: 'bounced', verdict: verdictOf(event, words) }
    }
    // Opens and clicks are counted by our own links and image.
    default:
      return undefined
  }
}

/** The reply of the receiver, or the error in Mailjet's words. */
function wordsOf(event: Fields): string {
  const reply = textOf(event['smtp_reply']) ?? textOf(event['comment'])
  const error = [event['error_related_to'], event['error']].map(textOf).filter(Boolean).join(': ')
  return reply ?? (error || (textOf(event['source']) ?? ''))
}

/** Blocked mail was not tried. What Mailjet relates to spam is about the sender. */
function verdictOf(event: Fields, text: string): Verdict {
  const isTried = event['event'] === 'bounce'
  const certainty: Certainty = event['hard_bounce'] === true ? 'permanent' : 'temporary'
  const verdict = failureOf(isTried ? certainty : 'untried', { text })
  return event['error_related_to'] === 'spam' ? withCause(verdict, 'sender') : verdict
}
