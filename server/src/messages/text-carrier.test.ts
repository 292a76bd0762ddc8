import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal, orRefusal } from '../core/errors.ts'
import { newId } from '../core/ids.ts'
import type { SmsSent, SmsTransport, Text } from '../lib/sms/transport.ts'
import type { Message } from './message.ts'
import { createTextCarrier } from './text-carrier.ts'

const now = new Date('2026-11-20T22:00:00Z')
const message: Message = {
  businessId: newId('business'),
  id: newId('message'),
  channel: 'sms',
  kind: 'marketing',
  isReply: false,
  contactId: null,
  campaignId: null,
  to: '+33612345678',
  zone: null,
  trackingConsent: null,
  templateVersionId: null,
  state: 'queued',
  attempts: 0,
  dueAt: now,
  queuedAt: now,
}

function carrierSaying(body: string, answer?: SmsSent) {
  const sent: Text[] = []
  const connection = {
    async send(text: Text): Promise<SmsSent> {
      sent.push(text)
      return answer ?? { result: 'accepted', providerId: 'SM1', words: 'ok' }
    },
  }
  const transport: SmsTransport = {
    route: 'test',
    connections: 1,
    rate: undefined,
    listen() {},
    use: (_turn, work) => work(connection),
    async close() {},
  }
  const throttle = { enter: async () => ({ leave() {} }) }
  const senders = { textSenderOf: async () => ({ from: '12345', marketing: true as const }) }
  return {
    sent,
    carrier: createTextCarrier({ transport, throttle, senders, wordsOf: async () => body }),
  }
}

async function preparedMessageOf(body: string, changes: Partial<Message> = {}, answer?: SmsSent) {
  const { carrier, sent } = carrierSaying(body, answer)
  const prepared = await carrier.prepare({ ...message, ...changes }, now)
  return { prepared, sent }
}

test('a marketing text waits until morning in the contact’s zone or else in that of its number', async () => {
  const { prepared } = await preparedMessageOf('A sale')
  assert.deepEqual(prepared.waitsUntil?.(now), new Date('2026-11-21T08:00:00Z'))
  const { prepared: awake } = await preparedMessageOf('A sale', { zone: 'America/New_York' })
  assert.equal(awake.waitsUntil?.(now), undefined)
  const { prepared: code } = await preparedMessageOf('482 913', { kind: 'transactional' })
  assert.equal(code.waitsUntil?.(now), undefined)
})

test('a text is paced by its sender, and its outcome has the segments and the provider’s id', async () => {
  const { prepared, sent } = await preparedMessageOf('x'.repeat(161))
  assert.equal(prepared.sender, '12345')
  const answer = await prepared.hops[0]?.over('bulk', (send) => send())
  assert.deepEqual(answer, {
    result: 'accepted',
    code: null,
    words: 'ok',
    takenAs: 'SM1',
    segments: 2,
  })
  assert.deepEqual([sent[0]?.from, sent[0]?.to], ['12345', message.to])
})

test('a text whose accents are apart is sent as it is counted', async () => {
  const { prepared, sent } = await preparedMessageOf('e\u0301'.repeat(161))
  const answer = await prepared.hops[0]?.over('bulk', (send) => send())
  assert.deepEqual(Reflect.get(Object(answer), 'segments'), 2)
  assert.equal(sent[0]?.body, 'é'.repeat(161))
})

test('a refusal that requests a slower pace is passed on with that request', async () => {
  const refused = {
    result: 'refused',
    final: false,
    kind: 'soft',
    code: '0x58',
    words: '',
  } as const
  const { prepared } = await preparedMessageOf('A', {}, { ...refused, slower: true })
  assert.deepEqual(await prepared.hops[0]?.over('bulk', (send) => send()), {
    ...refused,
    slower: true,
  })
  const { prepared: other } = await preparedMessageOf('A', {}, refused)
  assert.deepEqual(await other.hops[0]?.over('bulk', (send) => send()), {
    ...refused,
    slower: false,
  })
})

test('a text that turns out too long after template rendering is refused and not cut', async () => {
  const { carrier } = carrierSaying('x'.repeat(1_531))
  const refused = await orRefusal(() => carrier.prepare(message, now))
  assert.ok(isRefusal(refused) && refused.code === 'too_large')
})
