import assert from 'node:assert/strict'
import { generateKeyPairSync, sign } from 'node:crypto'
import { test } from 'node:test'
import { providerRequest } from '../../../../tests/support/sms/provider-request.ts'
import { isRefusal, orRefusal } from '../../core/errors.ts'
import { formatId, newId } from '../../core/ids.ts'
import { sendgridProvider } from './sendgrid.ts'

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const provider = sendgridProvider({ key: publicKey })
const messageId = newId('message')
const smtpId = `<${formatId('message', messageId)}@shop.test>`
const time = '1795168800'

function send(body: string, changes: { key?: typeof privateKey; time?: string } = {}) {
  const text = Buffer.from(`${time}${body}`)
  const signature = sign('sha256', text, changes.key ?? privateKey).toString('base64')
  const headers = {
    'x-twilio-email-event-webhook-signature': signature,
    'x-twilio-email-event-webhook-timestamp': changes.time ?? time,
  }
  return orRefusal(() => provider.read(providerRequest(body, headers)))
}

// The events have the form that SendGrid's documentation shows.
const event = (kind: string, more: object = {}) => ({
  email: 'ana@example.com',
  timestamp: 1795168790,
  'smtp-id': smtpId,
  event: kind,
  sg_event_id: `id-${kind}`,
  sg_message_id: '14c5d75ce93.dfd.64b469.filter0001.16648.5515E0B88.0',
  ...more,
})

async function read(...events: object[]) {
  const reports = await send(JSON.stringify(events))
  assert.ok(!isRefusal(reports))
  return reports.map((report) => [
    report.event,
    'verdict' in report ? report.verdict.kind : 'machine' in report ? report.machine : undefined,
  ])
}

test('SendGrid events are mapped to the right kinds of report', async () => {
  assert.deepEqual(
    await read(
      event('processed'),
      event('delivered', { response: '250 OK' }),
      event('deferred', { response: '400 try again later', attempt: '5' }),
      event('bounce', { type: 'bounce', status: '5.1.1', reason: '550 5.1.1 unknown user' }),
      event('spamreport'),
      event('open', { sg_machine_open: true }),
      event('click', { url: 'https://shop.test/' }),
      event('unsubscribe'),
      event('group_unsubscribe', { asm_group_id: 10 }),
      event('group_resubscribe', { asm_group_id: 10 }),
    ),
    [
      ['delivered', undefined],
      ['deferred', 'soft'],
      ['bounced', 'hard'],
      ['complained', undefined],
      ['opened', true],
      ['clicked', false],
      ['unsubscribed', undefined],
      ['unsubscribed', undefined],
    ],
  )
})

test('SendGrid’s blocked and dropped events do not suppress an address', async () => {
  assert.deepEqual(
    await read(
      event('bounce', { type: 'blocked', status: '5.1.1', reason: 'unknown user' }),
      event('bounce', { type: 'blocked', status: '5.7.1', reason: 'blocked by list' }),
      event('dropped', { reason: 'Bounced Address' }),
      event('dropped', { reason: 'Unsubscribed Address' }),
    ),
    [
      ['bounced', 'unknown'],
      ['bounced', 'policy'],
      ['bounced', 'unknown'],
      ['bounced', 'unknown'],
      ['unsubscribed', undefined],
    ],
  )
})

test('events about mail of other senders and malformed events are skipped', async () => {
  const strange = event('delivered', { 'smtp-id': '<14c5d75ce93.dfd.64b469@ismtpd-555>' })
  assert.deepEqual(await read(strange, {}, event('delivered', { sg_event_id: 1 })), [])
})

test('a signature by another key, or for another body or time, is refused', async () => {
  const body = JSON.stringify([event('delivered')])
  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
  const unsigned = orRefusal(() => provider.read(providerRequest(body)))
  for (const answer of [unsigned, send(body, { key: stranger }), send(body, { time: '1' })]) {
    const refusal = await answer
    assert.ok(isRefusal(refusal))
    assert.equal(refusal.code, 'unauthorized')
  }
  for (const text of ['', '{}', 'x']) {
    const refusal = await send(text)
    assert.ok(isRefusal(refusal))
    assert.equal(refusal.code, 'invalid_request')
  }
})
