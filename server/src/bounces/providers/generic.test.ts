import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { providerRequest } from '../../../../tests/support/sms/provider-request.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { formatId, newId } from '../../core/ids.ts'
import { genericProvider } from './generic.ts'

const secret = 'a secret between us and the provider'
const provider = genericProvider({ secret, slug: 'svc' })
const messageId = newId('message')
const message_id = formatId('message', messageId)
const now = 1795168800

function signed(body: string, time = now, key = secret) {
  const mac = createHmac('sha256', key).update(`${time}.${body}`).digest('hex')
  return orRefusal(() =>
    provider.read(providerRequest(body, { 'x-svc-signature': `t=${time},v1=${mac}` })),
  )
}

async function refusalOf(answer: ReturnType<typeof signed>) {
  const refusal = await answer
  assert.ok(isRefusal(refusal))
  return refusal
}

const bodyOf = (event: object) => JSON.stringify({ events: [{ id: 'e1', message_id, ...event }] })

test('every kind of event of the generic provider is read', async () => {
  const events = [
    { event: 'delivered', at: '2026-11-20T09:59:00Z' },
    { event: 'bounced', status: '5.1.1', text: '550 5.1.1 no such user' },
    { event: 'deferred', status: '4.2.2' },
    { event: 'complained', text: 'abuse' },
    { event: 'unsubscribed', text: 'by their page' },
    { event: 'opened', machine: true },
    { event: 'clicked', url: 'https://shop.test/' },
  ]
  const body = JSON.stringify({ events: events.map((e, i) => ({ id: `e${i}`, message_id, ...e })) })
  const reports = await signed(body)
  assert.ok(!isRefusal(reports))
  assert.deepEqual(
    reports.map(({ event, at, ...rest }) => [
      event,
      at.toISOString().slice(11, 16),
      'verdict' in rest ? rest.verdict.kind : 'machine' in rest ? rest.machine : rest.words,
    ]),
    [
      ['delivered', '09:59', ''],
      ['bounced', '10:00', 'hard'],
      ['deferred', '10:00', 'soft'],
      ['complained', '10:00', 'abuse'],
      ['unsubscribed', '10:00', 'by their page'],
      ['opened', '10:00', true],
      ['clicked', '10:00', false],
    ],
  )
  assert.ok(reports.every((report) => report.messageId === messageId))
})

test('a signature that is missing, or made with another secret or for another body, is refused', async () => {
  const body = bodyOf({ event: 'delivered' })
  const unsigned = orRefusal(() => provider.read(providerRequest(body)))
  assert.equal((await refusalOf(unsigned)).code, 'unauthorized')
  assert.equal((await refusalOf(signed(body, now, 'another'))).code, 'unauthorized')
  const mac = createHmac('sha256', secret).update(`${now}.${body}`).digest('hex')
  for (const header of [
    `t=${now},v1=${mac.toUpperCase()}`,
    `v1=${mac}`,
    `t=${now},v1=${mac}0`,
    '',
  ]) {
    const request = providerRequest(body, { 'x-svc-signature': header })
    assert.equal(
      (await refusalOf(orRefusal(() => provider.read(request)))).code,
      'unauthorized',
      header,
    )
  }
  const other = providerRequest(`${body} `, { 'x-svc-signature': `t=${now},v1=${mac}` })
  assert.equal((await refusalOf(orRefusal(() => provider.read(other)))).code, 'unauthorized')
})

test('a signature is accepted up to 300 seconds off in either direction, and refused at 301', async () => {
  const body = bodyOf({ event: 'delivered' })
  for (const away of [-300, 300]) assert.ok(!isRefusal(await signed(body, now + away)))
  for (const away of [-301, 301]) {
    assert.match((await refusalOf(signed(body, now + away))).message, /300 seconds/)
  }
})

test('an event that cannot be read is refused with its position', async () => {
  const bad: [object, RegExp][] = [
    [{ event: 'exploded' }, /event is one of/],
    [{ event: 'clicked' }, /url is missing/],
    [{ event: 'delivered', message_id: 'x' }, /message_id/],
    [{ event: 'delivered', id: '' }, /id is missing/],
  ]
  for (const [event, words] of bad) {
    const refusal = await refusalOf(signed(bodyOf(event)))
    assert.match(refusal.message, words)
    assert.equal(refusal.details.field, 'events[0]')
  }
  for (const body of ['', '[]', '{}', '{"events":{}}', 'null', '{"events":[1']) {
    assert.equal((await refusalOf(signed(body))).details.field, 'events', body)
  }
})

test('a thousand events in a call are read, and one more is refused', async () => {
  const event = { message_id, event: 'delivered' }
  const body = (n: number) =>
    JSON.stringify({ events: Array.from({ length: n }, (_, i) => ({ id: `${i}`, ...event })) })
  const reports = await signed(body(1_000))
  assert.ok(!isRefusal(reports))
  assert.equal(reports.length, 1_000)
  assert.equal((await refusalOf(signed(body(1_001)))).details.field, 'events')
})
