import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refused } from '../../../tests/support/refused.ts'
import { isRefusal } from '../core/errors.ts'
import { maxAnswersLength, readAnswers } from './answers.ts'
import type { FormField } from './form.ts'

const fields: FormField[] = [
  { key: 'email', label: 'Email', type: 'email', required: true },
  { key: 'phone', label: 'Phone', type: 'phone' },
  { key: 'age', label: 'Age', type: 'number' },
  { key: 'likes', label: 'Likes', type: 'several-of', options: ['Tea', 'Coffee', 'Milk'] },
  { key: 'texts', label: 'Text me.', type: 'consent', channel: 'sms' },
]
const email = 'ada@example.com'

function read(given: Record<string, string>, of: FormField[] = fields) {
  const answers = readAnswers(of, given)
  if (isRefusal(answers)) throw answers
  return { fields: answers.fields, values: Object.fromEntries(answers.values) }
}

function fault(given: Record<string, string>, of: FormField[] = fields) {
  const { code, message, details } = refused(readAnswers(of, given))
  return { code, field: details.field, message }
}

test('answers are kept as the submitted strings, next to their parsed values', () => {
  const given = { email: 'Ada@example.com', age: '036.50' }
  assert.deepEqual(read(given), { fields: given, values: { email, age: 36.5 } })
})

test('several chosen options are joined by a comma and a space, in the order of the form', () => {
  const { fields: told, values } = read({ email, likes: 'Milk,Tea' })
  assert.equal(told['likes'], 'Tea, Milk')
  assert.deepEqual(values['likes'], ['Tea', 'Milk'])
})

test('a blank answer is kept, but has no value', () => {
  assert.deepEqual(read({ email, age: ' ' }), { fields: { email, age: ' ' }, values: { email } })
})

test('an invalid answer is refused at its field, with what would be valid', () => {
  const { code, field, message } = fault({ email, age: 'old' })
  assert.deepEqual([code, field], ['invalid_request', 'fields.age'])
  assert.equal(message, 'fields.age must be a number such as 12 or -3.5.')
})

test('a required field is missing if it is omitted or blank', () => {
  for (const given of [{}, { email: '' }, { email: '  ' }]) {
    const { field, message } = fault(given)
    assert.equal(field, 'fields.email')
    assert.match(message, /is missing: it must be an email address/)
  }
})

test('an unknown field is refused, and the message lists the fields of the form', () => {
  const { field, message } = fault({ email, shoe: '42' })
  assert.equal(field, 'fields.shoe')
  assert.match(message, /Its fields: email, phone, age, likes, texts\./)
})

test('unusual keys, such as names of object properties, are unknown fields', () => {
  for (const key of ['__proto__', 'constructor', 'toString', '', ' ', '0', 'e\nmail', 'Email']) {
    const given = JSON.parse(`{"email":"${email}",${JSON.stringify(key)}:"x"}`)
    assert.equal(fault(given).field, `fields.${key}`)
  }
  assert.equal(fault({ email, ['k'.repeat(5000)]: 'x' }).field, `fields.${'k'.repeat(80)}…`)
})

test('a form field can have the name of an inherited object property', () => {
  const odd: FormField[] = [{ key: 'constructor', label: 'Who built it?', type: 'text' }]
  assert.deepEqual(read({}, odd), { fields: {}, values: {} })
  const required = odd.map((field) => ({ ...field, required: true }))
  assert.equal(fault({}, required).field, 'fields.constructor')
  assert.deepEqual(read({ constructor: 'Bob' }, odd).values, { constructor: 'Bob' })
})

test('an agreed consent requires the address of its channel', () => {
  const { field, message } = fault({ email, texts: 'true' })
  assert.equal(field, 'fields.phone')
  assert.match(message, /fields\.texts/)
  assert.equal(read({ email, texts: 'false' }).values['texts'], false)
  const phone = '+33123456789'
  assert.equal(read({ email, phone, texts: 'on' }).values['texts'], true)
})

test('the total length of all answers is limited exactly', () => {
  const many = Array.from({ length: 13 }, (_, i): FormField => {
    return { key: `t${i}`, label: 'Tell us', type: 'textarea' }
  })
  const given = (length: number) => {
    const texts = many.map(({ key }, i) => {
      return [key, 'x'.repeat(Math.min(4000, Math.max(0, length - i * 4000)))]
    })
    return Object.fromEntries(texts)
  }
  assert.equal(Object.keys(read(given(maxAnswersLength), many).values).length, 13)
  const { code, field } = fault(given(maxAnswersLength + 1), many)
  assert.deepEqual([code, field], ['too_large', 'fields'])
})
