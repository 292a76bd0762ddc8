/** Postmark's webhooks, each with one notification. They are not signed: the URL has a password. */
import { refuse } from '../../core/errors.ts'
import { classify } from '../../lib/email/classify.ts'
import type { Report } from '../report.ts'
import {
  type Certainty,
  checkLogin,
  type Fields,
  failureOf,
  fieldsOf,
  firstMessage,
  jsonIn,
  momentOf,
  type Provider,
  textOf,
} from './provider.ts'

/** The key of our metadata, which its relay is told in `X-PM-Metadata-crier-message`. */
const metadataKey = 'crier-message'

export function postmarkProvider({ login }: { login: string }): Provider {
  return {
    async read(request) {
      checkLogin(request, login, 'POSTMARK_LOGIN')
      const event = fieldsOf(jsonIn(request.body))
      if (textOf(event['RecordType']) === undefined) {
        throw refuse('invalid_request', 'Send a webhook of Postmark, with its RecordType.')
      }
      const report = reportOf(event, request.now)
      return report ? [report] : []
    },
  }
}

function reportOf(event: Fields, now: Date): Report | undefined {
  const messageId = firstMessage(fieldsOf(event['Metadata'])[metadataKey])
  if (!messageId) return undefined
  const identity = String(event['ID'] ?? event['MessageID'])
  const words = wordsOf(event)
  const at = momentOf(event['DeliveredAt'] ?? event['BouncedAt'] ?? event['ChangedAt'], now)
  const common = { messageId, at, identity, source: 'provider postmark', words }
  switch (event['RecordType']) {
    case 'Delivery':
      return { ...common, event: 'delivered' }
    case 'SpamComplaint':
      return { ...common, event: 'complained' }
    case 'Bounce':
      return bounceOf(event, common)
    case 'SubscriptionChange':
      return subscriptionOf(event, common)
    // Opens and clicks are counted by our own links and image.
    default:
      return undefined
  }
}

/** The receiver's reply without its type (RFC 3464 section 2.3.6), or Postmark's own words. */
function wordsOf(event: Fields): string {
  const details = textOf(event['Details'])?.trim() ?? ''
  const words = details.startsWith('smtp;') ? details.slice('smtp;'.length).trimStart() : details
  return words || (textOf(event['Description']) ?? '')
}

/** What Postmark knows of its types of bounces; all others, such as automatic replies, are none. */
const certainties = new Map<unknown, Certainty>([
  ['HardBounce', 'permanent'],
  ['BadEmailAddress', 'permanent'],
  ['SoftBounce', 'temporary'],
  ['DnsError', 'temporary'],
  ['Blocked', 'unsure'],
  ['SpamNotification', 'unsure'],
  ['DMARCPolicy', 'unsure'],
  ['VirusNotification', 'unsure'],
  ['ManuallyDeactivated', 'untried'],
  ['SMTPApiError', 'untried'],
  ['Unknown', 'unsure'],
])

type CommonFields = Omit<Report & { event: 'delivered' }, 'event'>

/**
 * A change of the stream's suppressions. Only what the recipient did is their no: the others are
 * changes by people of the account. Bounces come as such, with the receiver's words. That an address
 * was taken off the list is no consent.
 */
function subscriptionOf(event: Fields, common: CommonFields): Report | undefined {
  const reason = event['SuppressionReason']
  if (event['SuppressSending'] !== true || event['Origin'] !== 'Recipient') return undefined
  if (reason === 'HardBounce') return undefined
  if (reason === 'SpamComplaint') return { ...common, event: 'complained' }
  const words = [reason, event['MessageStream']].map(textOf).filter(Boolean).join(', ')
  const identity = JSON.stringify([event['MessageID'], event['ChangedAt']])
  return { ...common, identity, words, event: 'unsubscribed' }
}

function bounceOf(event: Fields, common: CommonFields): Report | undefined {
  const type = event['Type']
  if (type === 'SpamComplaint') return { ...common, event: 'complained' }
  // The recipient asked to be removed.
  if (type === 'Unsubscribe') return { ...common, event: 'unsubscribed' }
  if (type === 'Transient') {
    const verdict = classify({ action: 'delayed', text: common.words })
    return { ...common, event: 'deferred', verdict }
  }
  const certainty = certainties.get(type)
  if (!certainty) return undefined
  return { ...common, event: 'bounced', verdict: failureOf(certainty, { text: common.words }) }
}
