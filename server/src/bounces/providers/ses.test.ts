import assert from 'node:assert/strict'
import { sign } from 'node:crypto'
import { test } from 'node:test'
import { testVault } from '../../../../tests/support/clients/calls.ts'
import { selfSigned } from '../../../../tests/support/mail/certificate.ts'
import { providerRequest } from '../../../../tests/support/sms/provider-request.ts'
import { isRefusal, orRefusal, statusOf } from '../../core/errors.ts'
import { formatId, newId } from '../../core/ids.ts'
import { lazily } from '../../lib/concurrency/lazily.ts'
import type { Outbound } from '../../lib/http-client/outbound-fetch.ts'
import { days, later } from '../../lib/time/clock.ts'
import { returnPath } from '../../messages/return-path.ts'
import { sesProvider } from './ses.ts'
import { fetchBytes } from './set-up.ts'
import { createSnsReader, isOfSns } from './sns.ts'

const topic = 'arn:aws:sns:eu-west-1:123456789012:mail'
const certUrl = 'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0.pem'
const subscribeUrl = 'https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t'
const { key, cert } = selfSigned('sns.amazonaws.com')
const now = new Date()
const messageId = newId('message')
const source = returnPath(testVault, messageId, 'send.shop.test')

function setUpSes() {
  const fetched: string[] = []
  const fetch = async (url: string) => {
    fetched.push(url)
    return url.endsWith('.pem') ? Buffer.from(cert) : Buffer.from('<ok/>')
  }
  const sns = createSnsReader({ topics: [topic], fetch })
  const provider = sesProvider({ vault: testVault, sns, fetch })
  return {
    fetched,
    read: (body: object, at = now) =>
      orRefusal(() => provider.read(providerRequest(JSON.stringify(body), {}, at))),
  }
}

const fields = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: [
    'Message',
    'MessageId',
    'SubscribeURL',
    'Timestamp',
    'Token',
    'TopicArn',
    'Type',
  ],
}

/** Signs as SNS does: over the fields in order, with each name and value on its own line. */
function signed(
  message: Record<string, string>,
  type: keyof typeof fields = 'Notification',
  version: '1' | '2' = '2',
) {
  const whole: Record<string, string> = {
    Type: type,
    MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324',
    TopicArn: topic,
    Timestamp: now.toISOString(),
    SignatureVersion: version,
    SigningCertURL: certUrl,
    ...message,
  }
  const text = fields[type]
    .filter((name) => whole[name] !== undefined)
    .map((name) => `${name}\n${whole[name]}\n`)
    .join('')
  const signature = sign(version === '1' ? 'sha1' : 'sha256', Buffer.from(text), key)
  return { ...whole, Signature: signature.toString('base64') }
}

const mail = { source, messageId: '0000-0', destination: ['ana@example.com'] }
const notify = (event: object) => signed({ Message: JSON.stringify({ mail, ...event }) })

async function reportsOf(event: object) {
  const reports = await setUpSes().read(notify(event))
  assert.ok(!isRefusal(reports))
  return reports.map((report) => [
    report.event,
    report.messageId === messageId,
    'verdict' in report ? report.verdict.kind : report.words,
  ])
}

const bounce = (type: string, sub: string, status?: string, diagnosticCode?: string) => ({
  eventType: 'Bounce',
  bounce: {
    bounceType: type,
    bounceSubType: sub,
    bouncedRecipients: [
      { emailAddress: 'ana@example.com', action: 'failed', status, diagnosticCode },
    ],
    timestamp: now.toISOString(),
  },
})

test('SES deliveries, delays and complaints are read, from events and from notifications', async () => {
  const delivery = { smtpResponse: '250 2.0.0 OK' }
  assert.deepEqual(await reportsOf({ eventType: 'Delivery', delivery }), [
    ['delivered', true, '250 2.0.0 OK'],
  ])
  assert.deepEqual(await reportsOf({ notificationType: 'Complaint', complaint: {} }), [
    ['complained', true, ''],
  ])
  const kind = { complaintFeedbackType: 'not-spam' }
  assert.deepEqual(await reportsOf({ notificationType: 'Complaint', complaint: kind }), [])
  const delay = { delayedRecipients: [{ status: '4.4.1', diagnosticCode: '421 busy' }] }
  assert.deepEqual(await reportsOf({ eventType: 'DeliveryDelay', deliveryDelay: delay }), [
    ['deferred', true, 'soft'],
  ])
  assert.deepEqual(await reportsOf({ eventType: 'Open', open: {} }), [])
})

test('leaving a list or topic of SES is a no, and joining one is no consent', async () => {
  const topics = (unsubscribeAll: boolean, ...statuses: string[]) => ({
    unsubscribeAll,
    topicSubscriptionStatus: statuses.map((subscriptionStatus, index) => {
      return { topicName: `topic-${index}`, subscriptionStatus }
    }),
  })
  const change = (newTopicPreferences: object, oldTopicPreferences: object) => ({
    eventType: 'Subscription',
    subscription: {
      contactList: 'Customers',
      timestamp: now.toISOString(),
      source: 'UnsubscribeHeader',
      newTopicPreferences,
      oldTopicPreferences,
    },
  })
  const no = [['unsubscribed', true, 'UnsubscribeHeader, Customers']]
  const [left, joined] = ['OptOut', 'OptIn']
  const all = topics(false, joined, joined)
  assert.deepEqual(await reportsOf(change(topics(true, left, left), all)), no)
  assert.deepEqual(await reportsOf(change(topics(false, joined, left), all)), no)
  assert.deepEqual(await reportsOf(change(topics(false, 'OPT_OUT'), topics(false))), no)
  assert.deepEqual(await reportsOf(change(all, topics(true, left, left))), [])
  const rejoined = topics(false, left, joined)
  assert.deepEqual(await reportsOf(change(rejoined, topics(false, left, left))), [])
  assert.deepEqual(await reportsOf(change({}, {})), [])
})

test('mail that SES did not send to somebody who unsubscribed there is their no, and no hard bounce', async () => {
  assert.deepEqual(await reportsOf(bounce('Permanent', 'UnsubscribedRecipient', '5.1.1')), [
    ['bounced', true, 'unknown'],
    ['unsubscribed', true, ''],
  ])
})

test('an SES bounce is classified by its status, or by Amazon’s type where the status is not enough', async () => {
  const kinds: [Parameters<typeof bounce>, string][] = [
    [['Permanent', 'General', '5.1.1', 'smtp; 550 5.1.1 user unknown'], 'hard'],
    [['Permanent', 'NoEmail'], 'hard'],
    [['Permanent', 'General', '5.7.1', 'smtp; 550 5.7.1 blocked'], 'policy'],
    [['Permanent', 'Suppressed', '5.1.1'], 'hard'],
    [['Transient', 'MailboxFull', '5.2.2'], 'soft'],
    [['Transient', 'General', '5.1.1'], 'unknown'],
    [['Undetermined', 'Undetermined'], 'unknown'],
  ]
  for (const [given, kind] of kinds) {
    assert.deepEqual(await reportsOf(bounce(...given)), [['bounced', true, kind]], given.join(' '))
  }
})

test('a message is identified by its Message-ID where the return path is another one', async () => {
  const headers = [{ name: 'Message-ID', value: `<${formatId('message', messageId)}@shop.test>` }]
  const other = { source: 'news@shop.test', headers }
  assert.deepEqual(await reportsOf({ eventType: 'Delivery', mail: other }), [
    ['delivered', true, ''],
  ])
  const strange = { source: 'news@shop.test', headers: [{ name: 'Message-ID', value: '<x@y>' }] }
  assert.deepEqual(await reportsOf({ eventType: 'Delivery', mail: strange }), [])
})

test('both signature versions are verified, and the certificate is fetched once', async () => {
  const { fetched, read } = setUpSes()
  for (const version of ['1', '2', '2'] as const) {
    const Message = JSON.stringify({ mail, eventType: 'Delivery' })
    const reports = await read(signed({ Message }, 'Notification', version))
    assert.ok(!isRefusal(reports) && reports.length === 1)
  }
  assert.deepEqual(fetched, [certUrl])
})

test('an unsigned message, another topic and a certificate from another host are refused', async () => {
  const right = notify({ eventType: 'Delivery' })
  const wrong: Record<string, object> = {
    'another message': { ...right, Message: '{}' },
    'another topic': signed({ Message: '{}', TopicArn: `${topic}x` }),
    'another host': signed({ Message: '{}', SigningCertURL: 'https://evil.test/x.pem' }),
    'another version': { ...right, SignatureVersion: '3' },
    'no signature': { ...right, Signature: undefined },
    'no certificate': signed({ Message: '{}', SigningCertURL: certUrl.replace('.pem', '.txt') }),
  }
  for (const [name, body] of Object.entries(wrong)) {
    const refusal = await setUpSes().read(body)
    assert.ok(isRefusal(refusal), name)
    assert.equal(refusal.code, 'unauthorized', name)
  }
  const { fetched, read } = setUpSes()
  await read(signed({ Message: '{}', SigningCertURL: 'https://evil.test/x.pem' }))
  assert.deepEqual(fetched, [], 'nothing is fetched from elsewhere')
  for (const at of [later(now, -days(2)), later(now, days(2))]) {
    assert.ok(isRefusal(await read(right, at)), 'a certificate has its time')
  }
})

test('while the certificate cannot be fetched the answer is to try again, and nothing is taken', async () => {
  const answers = [
    { outcome: 'failed', reason: 'timeout', code: 'UND_ERR_CONNECT_TIMEOUT' },
    { outcome: 'answered', status: 500, complete: true, body: Buffer.from(cert) },
    { outcome: 'answered', status: 200, complete: false, body: Buffer.from(cert) },
    { outcome: 'answered', status: 200, complete: true, body: Buffer.from(cert) },
  ]
  const outbound = { fetch: async () => answers.shift() ?? assert.fail() } as unknown as Outbound
  const fetch = fetchBytes(lazily(async () => outbound))
  const sns = createSnsReader({ topics: [topic], fetch })
  const provider = sesProvider({ vault: testVault, sns, fetch })
  const body = JSON.stringify(notify({ eventType: 'Delivery' }))
  const read = () => orRefusal(() => provider.read(providerRequest(body, {}, now)))
  for (let tries = 1; tries <= 3; tries++) {
    const refusal = await read()
    assert.ok(isRefusal(refusal), `try ${tries}`)
    assert.equal(statusOf[refusal.code], 503, 'Amazon gives a message up that is answered with 4xx')
  }
  const reports = await read()
  assert.ok(!isRefusal(reports))
  assert.equal(reports.length, 1)
})

test('a subscription to the configured topic is confirmed, at Amazon’s hosts only', async () => {
  const { fetched, read } = setUpSes()
  const confirmation = { Message: 'You have chosen to subscribe', Token: 't' }
  const right = signed({ ...confirmation, SubscribeURL: subscribeUrl }, 'SubscriptionConfirmation')
  assert.deepEqual(await read(right), [])
  assert.deepEqual(fetched, [certUrl, subscribeUrl])
  const evil = { ...confirmation, SubscribeURL: 'https://evil.test/' }
  assert.ok(isRefusal(await read(signed(evil, 'SubscriptionConfirmation'))))
  assert.equal(fetched.length, 2)
})

test('only https hosts of Amazon SNS are recognised as SNS', () => {
  assert.ok(isOfSns(certUrl) && isOfSns('https://sns.us-gov-west-1.amazonaws.com/x.pem'))
  assert.ok(isOfSns('https://sns.cn-north-1.amazonaws.com.cn/x.pem'))
  for (const url of [
    undefined,
    'http://sns.eu-west-1.amazonaws.com/x.pem',
    'https://sns.eu-west-1.amazonaws.com:8443/x.pem',
    'https://sns.eu-west-1.amazonaws.com.evil.test/x.pem',
    'https://evil.test/sns.eu-west-1.amazonaws.com/x.pem',
    'https://user@sns.eu-west-1.amazonaws.com/x.pem',
    'https://evil-sns.eu-west-1.amazonaws.com/x.pem',
    'https://bucket.s3.amazonaws.com/x.pem',
  ]) {
    assert.ok(!isOfSns(url), url)
  }
})
