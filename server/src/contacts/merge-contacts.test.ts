import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedBy } from '../../../tests/support/refused.ts'
import { blankContact } from './changes.ts'
import { type ContactValues, contactLimits } from './contact.ts'
import { mergeContacts } from './merge.ts'

const joined = (kept: Partial<ContactValues>, other: Partial<ContactValues>) => {
  const result = mergeContacts(
    { ...blankContact, ...kept },
    { ...blankContact, ...other },
    'merged',
  )
  return result
}

test('the kept contact keeps its own values and takes over those that it lacks', () => {
  const { values, changed, leftOut } = joined(
    { email: 'ana@a.co', name: 'Ana', attributes: { city: 'Lyon' }, tags: ['b'] },
    {
      phone: '+33612345678',
      name: 'A.',
      language: 'fr',
      attributes: { city: 'Paris', age: 30 },
      tags: ['a', 'b'],
    },
  )
  assert.deepEqual(values, {
    email: 'ana@a.co',
    phone: '+33612345678',
    external_id: null,
    name: 'Ana',
    first_name: null,
    last_name: null,
    language: 'fr',
    attributes: { city: 'Lyon', age: 30 },
    tags: ['a', 'b'],
    consent: { email: 'none', sms: 'none', tracking: 'none' },
    topics: {},
  })
  assert.deepEqual([changed, leftOut], [['phone', 'language', 'tags', 'attributes.age'], {}])
})

test('a second email address is reported as left out, and its consent is not taken over', () => {
  const yes = { email: 'subscribed', sms: 'none', tracking: 'none' } as const
  const { values, leftOut, consents } = joined(
    { email: 'ana@a.co' },
    { email: 'ana@b.co', consent: yes },
  )
  assert.deepEqual(leftOut, { email: 'ana@b.co' })
  assert.deepEqual([values.email, values.consent.email, consents], ['ana@a.co', 'none', []])
})

test('consent is taken over together with its address', () => {
  const consent = { email: 'none', sms: 'subscribed', tracking: 'none' } as const
  const { values, consents } = joined({ email: 'ana@a.co' }, { phone: '+33612345678', consent })
  assert.equal(values.consent.sms, 'subscribed')
  assert.deepEqual(consents, [
    { channel: 'sms', action: 'subscribed', evidence: { source: 'merged' } },
  ])
})

test('an unsubscription of either contact holds for the merged contact', () => {
  const [left, stays] = ['unsubscribed', 'subscribed'] as const
  for (const [kept, other] of [
    [left, stays],
    [stays, left],
  ] as const) {
    const { values } = joined(
      { email: 'ana@a.co', consent: { email: kept, sms: 'none', tracking: 'none' } },
      { email: 'ana@b.co', consent: { email: other, sms: 'none', tracking: 'none' } },
    )
    assert.equal(values.consent.email, 'unsubscribed')
  }
})

test('two contacts with too many tags together are not merged', () => {
  const tags = (word: string) =>
    Array.from({ length: contactLimits.tags / 2 + 1 }, (_, i) => `${word}${i}`)
  const { details } = refusedBy(() =>
    mergeContacts(
      { ...blankContact, tags: tags('a') },
      { ...blankContact, tags: tags('b') },
      'merged',
    ),
  )
  assert.equal(details.field, 'tags')
})

test('an unsubscription of either contact from a topic holds, and topics move with their address', () => {
  const yes = { email: 'subscribed', sms: 'none', tracking: 'none' } as const
  const { values, consents } = joined(
    {
      email: 'ana@a.co',
      consent: yes,
      topics: { email: { news: 'subscribed', offers: 'subscribed' } },
    },
    {
      email: 'ana@b.co',
      phone: '+33612345678',
      consent: { email: 'subscribed', sms: 'subscribed', tracking: 'none' },
      topics: {
        email: { offers: 'unsubscribed', talks: 'subscribed' },
        sms: { news: 'subscribed' },
      },
    },
  )
  assert.deepEqual(values.topics, {
    email: { news: 'subscribed', offers: 'unsubscribed' },
    sms: { news: 'subscribed' },
  })
  assert.deepEqual(values.consent, { email: 'subscribed', sms: 'subscribed', tracking: 'none' })
  assert.deepEqual(
    consents.map(({ channel, topic, action }) => [channel, topic, action]),
    [
      ['email', 'offers', 'unsubscribed'],
      ['sms', 'news', 'subscribed'],
      ['sms', undefined, 'subscribed'],
    ],
  )
})

test('a merged contact whose only topic was left by the other contact is unsubscribed', () => {
  const yes = { email: 'subscribed', sms: 'none', tracking: 'none' } as const
  const { values } = joined(
    { email: 'ana@a.co', consent: yes, topics: { email: { news: 'subscribed' } } },
    { email: 'ana@b.co', consent: yes, topics: { email: { news: 'unsubscribed' } } },
  )
  assert.deepEqual(
    [values.consent.email, values.topics],
    ['unsubscribed', { email: { news: 'unsubscribed' } }],
  )
})
