import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRefusal } from '../core/errors.ts'
import { type AppliedChange, applyChange, blankContact } from './changes.ts'
import type { ContactSource, ContactValues, Person } from './contact.ts'

const ana: ContactValues = {
  ...blankContact,
  email: 'ana@example.com',
  phone: '+33612345678',
  name: 'Ana',
  attributes: { plan: 'pro', seats: 3 },
  tags: ['customer'],
  consent: { email: 'subscribed', sms: 'subscribed', tracking: 'none' },
}

function merged(person: Person, before = ana, source: ContactSource = 'api'): AppliedChange {
  const result = applyChange(before, person, source)
  assert.ok(!isRefusal(result))
  return result
}

function fieldRefused(person: Person, before = ana): string | undefined {
  const result = applyChange(before, person, 'api')
  assert.ok(isRefusal(result))
  assert.equal(result.code, 'invalid_request')
  return result.details.field
}

test('omitted fields are unchanged', () => {
  const { values, changed, consents } = merged({})
  assert.deepEqual(values, ana)
  assert.deepEqual(changed, [])
  assert.deepEqual(consents, [])
})

test('repeating the same values changes nothing', () => {
  const { changed, consents } = merged({
    email: 'ana@example.com',
    phone: '+33612345678',
    name: 'Ana',
    attributes: { seats: 3, plan: 'pro', gone: null },
    tags: ['customer', 'customer'],
    removeTags: ['stranger'],
    consent: { email: { status: 'subscribed', source: 'elsewhere' } },
  })
  assert.deepEqual(changed, [])
  assert.deepEqual(consents, [])
})

test('each field with a new value is listed as changed', () => {
  const { changed } = merged({
    phone: '+33698765432',
    name: 'Ana Moreau',
    attributes: { seats: 4, plan: null, city: 'Paris' },
    tags: ['vip'],
    consent: { email: { status: 'unsubscribed', source: 'letter' } },
  })
  assert.deepEqual(changed.toSorted(), [
    'attributes.city',
    'attributes.plan',
    'attributes.seats',
    'consent.email',
    'consent.sms',
    'name',
    'phone',
    'tags',
  ])
})

test('attributes are merged by key, and null removes a key', () => {
  const { values } = merged({ attributes: { seats: 0, plan: null, on: false } })
  assert.deepEqual(values.attributes, { seats: 0, on: false })
})

test('an attribute with the same value in another type counts as changed', () => {
  assert.deepEqual(merged({ attributes: { seats: '3' } }).changed, ['attributes.seats'])
})

test('an attribute can have the name of an inherited object property', () => {
  const { values, changed } = merged({ attributes: { constructor: 'x', toString: 1 } })
  assert.deepEqual(changed, ['attributes.constructor', 'attributes.toString'])
  assert.equal(values.attributes['constructor'], 'x')
  assert.deepEqual(merged({ attributes: { constructor: null } }, values).changed, [
    'attributes.constructor',
  ])
})

test('tags are added in sorted order and removed', () => {
  const { values } = merged({ tags: ['vip', 'beta'], removeTags: ['customer'] })
  assert.deepEqual(values.tags, ['beta', 'vip'])
})

test('a change of consent carries its evidence to the ledger', () => {
  const given = { status: 'unsubscribed', source: 'letter', text: 'No more mail.' } as const
  assert.deepEqual(merged({ consent: { email: given } }).consents, [
    {
      channel: 'email',
      action: 'unsubscribed',
      evidence: { source: 'letter', text: 'No more mail.' },
    },
  ])
})

test('a call without the person’s words and a later time does not resubscribe an unsubscribed contact', () => {
  const left = {
    ...ana,
    consent: { email: 'unsubscribed', sms: 'none', tracking: 'none' },
  } as const
  const consent = {
    email: { status: 'subscribed', source: 'list' },
    sms: { status: 'subscribed', source: 'list' },
  } as const
  for (const source of ['import', 'api', 'form'] as const) {
    const said = merged({ consent }, left, source)
    assert.deepEqual(said.values.consent, {
      email: 'unsubscribed',
      sms: 'subscribed',
      tracking: 'none',
    })
    assert.deepEqual(said.stayedUnsubscribed, ['email'])
    assert.deepEqual(said.changed, ['consent.sms'])
  }
})

test('an import can unsubscribe a contact', () => {
  const consent = { email: { status: 'unsubscribed', source: 'list' } } as const
  assert.equal(merged({ consent }, ana, 'import').values.consent.email, 'unsubscribed')
})

test('SMS consent is not carried over to another number', () => {
  const { values, consents } = merged({ phone: '+33698765432' })
  assert.equal(values.consent.sms, 'none')
  assert.deepEqual(consents, [
    { channel: 'sms', action: 'none', evidence: { source: 'the phone number was replaced' } },
  ])
})

test('consent given with a new number is recorded, even if the status stays the same', () => {
  const consent = { sms: { status: 'subscribed', source: 'counter' } } as const
  const { values, changed, consents } = merged({ phone: '+33698765432', consent })
  assert.equal(values.consent.sms, 'subscribed')
  assert.deepEqual(changed, ['phone'])
  assert.deepEqual(consents, [
    { channel: 'sms', action: 'subscribed', evidence: { source: 'counter' } },
  ])
})

test('an SMS unsubscription also holds for a new number', () => {
  const left = {
    ...ana,
    consent: { email: 'none', sms: 'unsubscribed', tracking: 'none' },
  } as const
  assert.equal(merged({ phone: '+33698765432' }, left).values.consent.sms, 'unsubscribed')
})

test('a first phone number removes no consent', () => {
  const before = {
    ...ana,
    phone: null,
    consent: { email: 'subscribed', sms: 'none', tracking: 'none' },
  } as const
  assert.deepEqual(merged({ phone: '+33698765432' }, before).changed, ['phone'])
})

test('consent to a channel without an address is refused', () => {
  const consent = { sms: { status: 'subscribed', source: 'counter' } } as const
  assert.equal(fieldRefused({ consent }, { ...ana, phone: null }), 'consent.sms')
  const byMail = { email: { status: 'unsubscribed', source: 'counter' } } as const
  assert.equal(fieldRefused({ consent: byMail }, { ...ana, email: null }), 'consent.email')
})

test('a contact has at most a hundred attributes', () => {
  const some = (n: number, from = 0) =>
    Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${from + i}`, i]))
  const full = merged({ attributes: some(98) }).values
  assert.equal(Object.keys(full.attributes).length, 100)
  assert.equal(fieldRefused({ attributes: { more: 1 } }, full), 'attributes')
  const swapped = merged({ attributes: { more: 1, k0: null } }, full)
  assert.equal(Object.keys(swapped.values.attributes).length, 100)
})

test('a contact has at most fifty tags', () => {
  const tags = Array.from({ length: 49 }, (_, i) => `t${i}`)
  const full = merged({ tags }).values
  assert.equal(full.tags.length, 50)
  assert.equal(fieldRefused({ tags: ['more'] }, full), 'tags')
})
