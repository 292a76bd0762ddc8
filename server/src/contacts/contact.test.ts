import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../tests/support/properties.ts'
import { refused } from '../../../tests/support/refused.ts'
import { isRefusal } from '../core/errors.ts'
import { schemaCheck } from '../core/schema-check.ts'
import { type PersonInput, personSchema, readPerson } from './contact.ts'

const check = schemaCheck(personSchema, 'the person')

function read(input: unknown) {
  return check(input) ?? readPerson(input as PersonInput)
}

function fault(input: unknown): [string | undefined, string] {
  const { code, message, details } = refused(read(input))
  assert.equal(code, 'invalid_request')
  return [details.field, message]
}

test('values of a contact are stored in one normalised spelling', () => {
  assert.deepEqual(
    read({
      email: ' Ana@EXAMPLE.com ',
      phone: '+33 6 12 34 56 78',
      name: '  Ana \n Moreau ',
      language: 'ZH-hant-tw',
      tags: [' vip ', 'e\u0301te\u0301'],
      remove_tags: ['old  one'],
    }),
    {
      email: 'ana@example.com',
      phone: '+33612345678',
      name: 'Ana Moreau',
      language: 'zh-Hant-TW',
      tags: ['vip', 'été'],
      removeTags: ['old one'],
    },
  )
})

test('attributes and consent are stored unchanged', () => {
  const attributes = { plan: ' pro ', seats: 3, active: true, gone: null }
  const consent = { sms: { status: 'subscribed', source: 'counter', text: 'Yes, please.' } }
  assert.deepEqual(read({ phone: '+33612345678', attributes, consent }), {
    phone: '+33612345678',
    attributes,
    consent,
  })
})

test('each invalid value is refused with its field', () => {
  const email = 'ana@example.com'
  const given = { status: 'subscribed', source: 'x' }
  const cases: [object, string][] = [
    [{}, 'email'],
    [{ name: 'Nobody' }, 'email'],
    [{ email: 'ana' }, 'email'],
    [{ email: 1 }, 'email'],
    [{ email: null }, 'email'],
    [{ email, language: 'French' }, 'language'],
    [{ email, language: 'fr__FR' }, 'language'],
    [{ email, language: '' }, 'language'],
    [{ email, language: `fr-x-${'a-'.repeat(15)}aa` }, 'language'],
    [{ phone: '0612345678' }, 'phone'],
    [{ phone: '+33 1' }, 'phone'],
    [{ email, phone: '' }, 'phone'],
    [{ email, name: '' }, 'name'],
    [{ email, name: ' \t ' }, 'name'],
    [{ email, name: 'a\u0007b' }, 'name'],
    [{ email, name: 'x'.repeat(201) }, 'name'],
    [{ email, attributes: [] }, 'attributes'],
    [{ email, attributes: { plan: ['pro'] } }, 'attributes.plan'],
    [{ email, attributes: { plan: {} } }, 'attributes.plan'],
    [{ email, attributes: { plan: 'x'.repeat(4001) } }, 'attributes.plan'],
    [{ email, attributes: { '': 1 } }, 'attributes.""'],
    [{ email, attributes: { ' ': 1 } }, 'attributes. '],
    [{ email, attributes: { ['k'.repeat(65)]: 1 } }, `attributes.${'k'.repeat(65)}`],
    [
      {
        email,
        attributes: Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`k${i}`, 1])),
      },
      'attributes',
    ],
    [{ email, tags: 'vip' }, 'tags'],
    [{ email, tags: ['vip', 1] }, 'tags[1]'],
    [{ email, tags: ['vip', ''] }, 'tags[1]'],
    [{ email, tags: ['x'.repeat(65)] }, 'tags[0]'],
    [{ email, tags: Array.from({ length: 51 }, (_, i) => `t${i}`) }, 'tags'],
    [{ email, remove_tags: ['a\u0000b'.replace('\u0000', '\u0001')] }, 'remove_tags[0]'],
    [{ email, tags: ['a', 'b'], remove_tags: ['c', 'b '] }, 'remove_tags[1]'],
    [{ email, consent: { fax: given } }, 'consent.fax'],
    [{ email, consent: { email: { status: 'none', source: 'x' } } }, 'consent.email.status'],
    [{ email, consent: { email: { status: 'subscribed' } } }, 'consent.email.source'],
    [{ email, consent: { email: { ...given, source: '  ' } } }, 'consent.email.source'],
    [{ email, consent: { email: { ...given, text: 'x'.repeat(4001) } } }, 'consent.email.text'],
    [{ email, consent: { email: { ...given, ip: '1.2.3.4' } } }, 'consent.email.ip'],
    [{ email, mail: 'x' }, 'mail'],
  ]
  for (const [input, field] of cases) {
    const [named, message] = fault(input)
    assert.equal(named, field, JSON.stringify(input).slice(0, 200))
    assert.match(message, /\.$/)
  }
})

test('a value of a wrong type is refused with all valid types', () => {
  const [, message] = fault({ email: 'a@b.example', attributes: { plan: [] } })
  assert.equal(
    message,
    'attributes.plan must be a string, a number, true, false or null, not a list.',
  )
})

test('any input that fits the schema is read or refused with a field, and reading is idempotent', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 })
  const person = fc.record(
    {
      email: fc.oneof(fc.emailAddress(), text),
      phone: fc.constantFrom('+33612345678', '+1 415 555 2671', 'x'),
      name: text,
      attributes: fc.dictionary(text, fc.oneof(text, fc.double(), fc.boolean(), fc.constant(null))),
      tags: fc.array(text, { maxLength: 3 }),
      remove_tags: fc.array(text, { maxLength: 3 }),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(person, (input) => {
      const once = read(input)
      if (isRefusal(once)) {
        assert.ok(once.details.field !== undefined)
        return
      }
      const { removeTags, ...rest } = once as Exclude<ReturnType<typeof readPerson>, Error>
      const again = read({ ...rest, ...(removeTags && { remove_tags: removeTags }) })
      assert.deepEqual(again, once)
    }),
  )
})
