import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { CrierError } from '../errors/error.ts'
import { verifyWebhook as verifyAsync } from '../webhooks.ts'
import type { Delivery } from './delivery.ts'
import { signWebhook } from './sign-webhook.ts'
import { verifyWebhook } from './verify-webhook.ts'
import { writeSignature } from './webhook-signature.ts'

const secret = 'whsec_c2VjcmV0LW9mLWEtdGVzdA'
const at = '2023-11-14T22:13:20.000Z'
const body = `{"id":"evt_1","type":"domain.verified","created_at":"${at}","business_id":"bus_1","data":{"domain":"mail.example.com","verified_at":"${at}"}}`
const now = new Date(at)

// The signature comes from `openssl dgst -sha256 -hmac whsec_…` over `1700000000.` and the body.
const vector = {
  'x-svc-event': 'domain.verified',
  'x-svc-delivery': 'dlv_1',
  'x-svc-timestamp': '1700000000',
  'x-svc-signature':
    't=1700000000,v1=0176ee959175a2b9fb924dadf465ed8449357932b50cf094e7e2d489a7b4ff61',
}
const hex = vector['x-svc-signature'].slice('t=1700000000,v1='.length)

const delivery: Delivery = { body, headers: vector, secret, now }

/** Verifications by WebCrypto, which end after the test and must agree. */
const agreements: Promise<void>[] = []
afterEach(async () => {
  await Promise.all(agreements.splice(0))
})

function codeOf(change: { [K in keyof Delivery]?: unknown }): string {
  const changed = { ...delivery, ...change } as Delivery
  const code = codeAlone(changed)
  const byWebCrypto = verifyAsync(changed).then(
    () => 'fine',
    (error: CrierError) => error.code,
  )
  agreements.push(byWebCrypto.then((other) => assert.equal(other, code)))
  return code
}

function codeAlone(changed: Delivery): string {
  try {
    verifyWebhook(changed)
  } catch (error) {
    assert.ok(error instanceof CrierError)
    return error.code
  }
  return 'fine'
}

const signature = (value: string) => ({ ...vector, 'x-svc-signature': value })

test('a delivery signed with openssl is verified, and its event is typed', () => {
  const event = verifyWebhook(delivery)
  assert.equal(event.id, 'evt_1')
  if (event.type !== 'domain.verified') assert.fail(event.type)
  assert.equal(event.data.domain, 'mail.example.com')
})

test('signWebhook makes exactly the headers of the test vector', () => {
  assert.deepEqual(signWebhook({ body, secret, deliveryId: 'dlv_1', now }), {
    'content-type': 'application/json',
    ...vector,
  })
})

test('the body and headers may have any type that a server framework gives', () => {
  const bytes = Buffer.from(body)
  for (const raw of [body, bytes, new Uint8Array(bytes)])
    assert.equal(codeOf({ body: raw }), 'fine')
  const listed = Object.fromEntries(Object.entries(vector).map(([key, value]) => [key, [value]]))
  const shouted = Object.fromEntries(
    Object.entries(vector).map(([key, value]) => [key.toUpperCase(), value]),
  )
  for (const headers of [new Headers(vector), listed, shouted]) {
    assert.equal(codeOf({ headers }), 'fine')
  }
})

test('a timestamp 300 seconds off in either direction is accepted, a millisecond more is refused', () => {
  const after = (milliseconds: number) => ({ now: new Date(now.getTime() + milliseconds) })
  for (const sign of [1, -1]) {
    assert.equal(codeOf(after(sign * 300_000)), 'fine')
    assert.equal(codeOf(after(sign * 300_001)), 'delivery_stale')
    assert.equal(codeOf({ ...after(sign * 301_000), tolerance: 301 }), 'fine')
  }
})

test('one valid signature of several v1= suffices, and so does one of several secrets', () => {
  const other = '0'.repeat(64)
  assert.equal(codeOf({ headers: signature(`t=1700000000,v1=${other},v1=${hex}`) }), 'fine')
  assert.equal(codeOf({ headers: signature(`t=1700000000, v1=${hex}, v1=${other}`) }), 'fine')
  assert.equal(codeOf({ headers: signature(`t=1700000000,v0=x,v1=${hex},v2=y`) }), 'fine')
  assert.equal(codeOf({ secret: ['whsec_new', undefined, '', secret] }), 'fine')
  const both = signWebhook({ body, secret: ['whsec_new', secret], deliveryId: 'dlv_1', now })
  assert.equal(both['x-svc-signature']?.match(/v1=/g)?.length, 2)
  for (const one of ['whsec_new', secret]) {
    assert.equal(codeOf({ headers: both, secret: one }), 'fine')
  }
  assert.equal(codeOf({ headers: both, secret: 'whsec_old' }), 'signature_mismatch')
})

test('a changed byte, another secret or another timestamp does not match the signature', () => {
  assert.equal(codeOf({ body: body.replace('mail', 'nail') }), 'signature_mismatch')
  assert.equal(codeOf({ body: `${body}\n` }), 'signature_mismatch')
  assert.equal(codeOf({ body: JSON.stringify(JSON.parse(body), null, 1) }), 'signature_mismatch')
  assert.equal(codeOf({ secret: `${secret}x` }), 'signature_mismatch')
  const later = signature(`t=1700000001,v1=${hex}`)
  const headers = { ...later, 'x-svc-timestamp': '1700000001' }
  assert.equal(codeOf({ headers }), 'signature_mismatch')
})

test('a missing or malformed signature header is refused with its own code', () => {
  assert.equal(codeOf({ headers: {} }), 'signature_missing')
  assert.equal(codeOf({ slug: 'acme' }), 'signature_missing')
  const wrong = [
    '',
    hex,
    `v1=${hex}`,
    't=1700000000',
    `t=,v1=${hex}`,
    `t=1e9,v1=${hex}`,
    `t=-1700000000,v1=${hex}`,
    `t=1700000000,t=1700000001,v1=${hex}`,
    `t=1700000000,v1=${hex.toUpperCase()}`,
    `t=1700000000,v1=${hex.slice(2)}`,
    `t=1700000000,v1=${hex}00`,
  ]
  for (const value of wrong) {
    assert.equal(codeOf({ headers: signature(value) }), 'signature_malformed', value)
  }
  const twice = { ...vector, 'x-svc-signature': [`t=1700000000,v1=${hex}`, `t=1,v1=${hex}`] }
  assert.equal(codeOf({ headers: twice }), 'signature_malformed')
  assert.equal(codeOf({ headers: { ...vector, 'x-svc-timestamp': '1' } }), 'signature_malformed')
})

test('the header names contain the server’s slug', () => {
  const headers = signWebhook({ body, secret, deliveryId: 'dlv_1', now, slug: 'acme' })
  assert.ok(headers['x-acme-signature'])
  assert.equal(codeOf({ headers, slug: 'acme' }), 'fine')
})

test('a type header that differs from the signed body is refused', () => {
  const headers = { ...vector, 'x-svc-event': 'contact.created' }
  assert.equal(codeOf({ headers }), 'event_malformed')
})

test('a correctly signed body that is not an event is refused as malformed', () => {
  for (const odd of ['', 'null', '7', '[]', '{"id":"evt_1"}', '{"id":"evt_1"']) {
    const headers = signature(writeSignature([secret], '1700000000', odd))
    assert.equal(codeOf({ body: odd, headers }), 'event_malformed', odd)
  }
})

test('a parsed body and an invalid secret are each refused with their own error code', () => {
  assert.equal(codeOf({ body: JSON.parse(body) }), 'body_parsed')
  assert.equal(codeOf({ body: undefined }), 'body_parsed')
  for (const one of [undefined, '', [], [undefined], 'whk_1', ['whsec_a', 'b']]) {
    assert.equal(codeOf({ secret: one }), 'secret_invalid', String(one))
  }
})

test('no error message contains the secret', () => {
  for (const change of [{ body: 'x' }, { secret: `not-${secret}` }, { headers: {} }]) {
    assert.throws(
      () => verifyWebhook({ ...delivery, ...change }),
      (error: Error) => !error.message.includes(secret.slice(6)),
    )
  }
})
