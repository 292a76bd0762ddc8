import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventSamples } from '../generated/event-samples.ts'
import { sampleEvent } from './sample-event.ts'

test('a sample event has the five keys of an event, its own id and the data of its type', () => {
  for (const type of Object.keys(eventSamples)) {
    const event = sampleEvent(type, {})
    assert.deepEqual(Object.keys(event), ['id', 'type', 'created_at', 'business_id', 'data'])
    assert.deepEqual([event.type, event.data], [type, eventSamples[type]])
    assert.notEqual(event.id, sampleEvent(type, {}).id)
  }
})

test('changes replace values of the sample event, also inside nested objects', () => {
  const { data } = sampleEvent('contact.created', {
    email: null,
    'consent.email': 'unsubscribed',
    'attributes.address.city': 'Oslo',
  })
  const changed = data as Record<string, unknown>
  assert.equal(changed['email'], null)
  assert.deepEqual(changed['consent'], { email: 'unsubscribed', sms: 'none', tracking: 'none' })
  assert.deepEqual((changed['attributes'] as { address: object }).address, { city: 'Oslo' })
  const again = sampleEvent('contact.created', {}).data
  assert.deepEqual(again, eventSamples['contact.created'])
})

test('an unknown key in a change is refused, with the keys that the event type has', () => {
  const refused = /contact\.created has no "mail".*email, phone/
  assert.throws(() => sampleEvent('contact.created', { mail: 'x' }), refused)
  assert.throws(() => sampleEvent('contact.created', { 'name.first': 'x' }), /"name" is no object/)
  const hostile = JSON.parse('{"attributes.__proto__.polluted": true}')
  sampleEvent('contact.created', hostile)
  assert.equal(Object.hasOwn(Object.prototype, 'polluted'), false)
})
