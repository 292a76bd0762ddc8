import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertEventFits } from '../../../tests/support/businesses/event-schema.ts'
import { scopes } from '../core/operation.ts'
import { eventTypeNames, eventTypes, typesWithin } from './catalog.ts'

test('the event types begin with the thirteen of the contract, in its order', () => {
  assert.deepEqual(eventTypeNames.slice(0, 13), [
    'form.submitted',
    'contact.created',
    'contact.updated',
    'campaign.deployed',
    'campaign.paused',
    'campaign.resumed',
    'message.sent',
    'message.delivered',
    'message.bounced',
    'message.opened',
    'message.clicked',
    'domain.verified',
    'usage.threshold',
  ])
})

interface Described {
  description?: string
  anyOf?: Described[]
  properties?: Record<string, Described>
}

test('every field of every event has a description', () => {
  for (const { type, data } of eventTypes) {
    const fields = Object.entries((data as unknown as Described).properties ?? {})
    assert.ok(fields.length > 0, type)
    for (const [name, field] of fields) {
      assert.ok(field.description ?? field.anyOf?.[0]?.description, `${type}: ${name}`)
    }
  }
})

test('form.submitted has exactly the contract’s five data fields', () => {
  const data = {
    submission_id: 'sub_1',
    form_id: 'frm_1',
    contact_id: 'con_1',
    fields: { email: 'ada@example.com' },
    source_url: 'https://example.com',
  }
  assertEventFits({ type: 'form.submitted', data })
  for (const name of Object.keys(data)) {
    const { [name]: _, ...rest } = data as Record<string, unknown>
    assert.throws(() => assertEventFits({ type: 'form.submitted', data: rest }), new RegExp(name))
  }
  assert.throws(() => assertEventFits({ type: 'form.submitted', data: { ...data, more: 1 } }))
  const typed = { ...data, fields: { age: 7 } }
  assert.throws(() => assertEventFits({ type: 'form.submitted', data: typed }))
})

test('an event type is visible only with all of its scopes', () => {
  assert.deepEqual(typesWithin(new Set(scopes)), eventTypeNames)
  assert.deepEqual(typesWithin(new Set(['meta:read'])), ['usage.threshold'])
  assert.deepEqual(typesWithin(new Set(['forms:read'])), [])
  assert.deepEqual(typesWithin(new Set(['forms:read', 'audience:read'])), [
    'form.submitted',
    'contact.created',
    'contact.updated',
    'contact.unsubscribed',
    'contact.resubscribed',
    'contact.erased',
    'contact.event',
    'import.completed',
  ])
})
