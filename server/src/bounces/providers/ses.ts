/** Amazon SES: its notifications and its published events, which come through SNS. */
import { refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { classify, type Verdict } from '../../lib/email/classify.ts'
import { readReturnPath } from '../../messages/return-path.ts'
import type { Report } from '../report.ts'
import {
  type Fields,
  fieldsOf,
  jsonIn,
  messageIn,
  momentOf,
  type Provider,
  textOf,
} from './provider.ts'
import { type Fetch, isOfSns, type SnsReader } from './sns.ts'

export interface SesDeps {
  vault: Pick<Vault, 'hmac'>
  sns: SnsReader
  fetch: Fetch
}

export function sesProvider({ vault, sns, fetch }: SesDeps): Provider {
  return {
    async read({ body, now }) {
      const message = await sns.read(body, now)
      if (message.type === 'SubscriptionConfirmation') {
        const done = isOfSns(message.subscribeUrl) && (await fetch(message.subscribeUrl))
        if (!done) throw refuse('unavailable', 'The subscription could not be confirmed.')
        return []
      }
      if (message.type !== 'Notification') return []
      const event = fieldsOf(jsonIn(message.message))
      const messageId = messageOf(vault, fieldsOf(event['mail']))
      return messageId ? reportsOf(event, { messageId, identity: message.id, now }) : []
    },
  }
}

/** Finds the message by its return path, or by the Message-ID among its headers. */
function messageOf(vault: Pick<Vault, 'hmac'>, mail: Fields): Id<'message'> | undefined {
  const identity = readReturnPath(vault, textOf(mail['source']) ?? '')
  if (identity) return identity
  const headers = Array.isArray(mail['headers']) ? mail['headers'].map(fieldsOf) : []
  const header = headers.find(({ name }) => /^message-id$/i.test(String(name)))
  return messageIn(header?.['value'])
}

function reportsOf(
  event: Fields,
  { messageId, identity, now }: { messageId: Id<'message'>; identity: string; now: Date },
): Report[] {
  const commonOf = (details: Fields, words = '') => {
    const at = momentOf(details['timestamp'], now)
    return { messageId, at, identity, source: 'provider ses', words }
  }
  switch (event['eventType'] ?? event['notificationType']) {
    case 'Delivery': {
      const delivery = fieldsOf(event['delivery'])
      return [{ ...commonOf(delivery, textOf(delivery['smtpResponse'])), event: 'delivered' }]
    }
    case 'Complaint': {
      const complaint = fieldsOf(event['complaint'])
      const type = textOf(complaint['complaintFeedbackType'])
      if (type === 'not-spam') return []
      return [{ ...commonOf(complaint, type), event: 'complained' }]
    }
    case 'Bounce': {
      const bounce = fieldsOf(event['bounce'])
      const { verdict, words } = judged(bounce, 'bouncedRecipients', 'failed')
      const isLeft = bounce['bounceSubType'] === 'UnsubscribedRecipient'
      return [
        { ...commonOf(bounce, words), event: 'bounced', verdict: sureOf(verdict, bounce) },
        ...(isLeft ? [{ ...commonOf(bounce, words), event: 'unsubscribed' as const }] : []),
      ]
    }
    case 'DeliveryDelay': {
      const delay = fieldsOf(event['deliveryDelay'])
      const { verdict, words } = judged(delay, 'delayedRecipients', 'delayed')
      return [{ ...commonOf(delay, words), event: 'deferred', verdict }]
    }
    case 'Subscription': {
      const subscription = fieldsOf(event['subscription'])
      if (!isOptOut(subscription)) return []
      const words = [subscription['source'], subscription['contactList']]
        .map(textOf)
        .filter(Boolean)
      return [{ ...commonOf(subscription, words.join(', ')), event: 'unsubscribed' }]
    }
    // Opens and clicks are counted by our own links and image.
    default:
      return []
  }
}

/** Whether the person left the list or one of its topics. That they joined one is no consent. */
function isOptOut({ newTopicPreferences, oldTopicPreferences }: Fields): boolean {
  if (fieldsOf(newTopicPreferences)['unsubscribeAll'] === true) return true
  const before = new Set(topicsLeft(oldTopicPreferences))
  return topicsLeft(newTopicPreferences).some((topic) => !before.has(topic))
}

function topicsLeft(preferences: unknown): unknown[] {
  const topics = fieldsOf(preferences)['topicSubscriptionStatus']
  if (!Array.isArray(topics)) return []
  return topics.map(fieldsOf).flatMap(({ topicName, subscriptionStatus }) => {
    return /^opt_?out$/i.test(String(subscriptionStatus)) ? [topicName] : []
  })
}

function judged(details: Fields, list: string, action: 'failed' | 'delayed') {
  const recipients = details[list]
  const first = fieldsOf(Array.isArray(recipients) ? recipients[0] : undefined)
  const words = textOf(first['diagnosticCode'])?.replace(/^smtp;\s*/i, '') ?? ''
  return { words, verdict: classify({ action, status: textOf(first['status']), text: words }) }
}

/**
 * Applies SES's bounce type: only `Permanent` is hard, and `NoEmail` decides an unknown one. Mail to
 * people on SES's own list of those who unsubscribed was not tried.
 */
function sureOf(verdict: Verdict, { bounceType, bounceSubType }: Fields): Verdict {
  if (bounceType !== 'Permanent' && verdict.kind === 'hard') return { ...verdict, kind: 'unknown' }
  if (bounceSubType === 'UnsubscribedRecipient') return { ...verdict, kind: 'unknown' }
  const isNobody = bounceType === 'Permanent' && bounceSubType === 'NoEmail'
  return isNobody && verdict.kind === 'unknown' ? { ...verdict, kind: 'hard' } : verdict
}
