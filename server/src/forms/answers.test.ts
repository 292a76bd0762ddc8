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

test('answers stay the strings they were, and what they mean stands beside them', () => {
  const given = { email: 'Ada@example.com', age: '036.50' }
  assert.deepEqual(read(given), { fields: given, values: { email, age: 36.5 } })
})

test('several chosen options are told joined by a comma and a space, in the form’s order', () => {
  const { fields: told, values } = read({ email, likes: 'Milk,Tea' })
  assert.equal(told['likes'], 'Tea, Milk')
  assert.deepEqual(values['likes'], ['Tea', 'Milk'])
})

test('a field left blank is an answer without a meaning', () => {
  assert.deepEqual(read({ email, age: ' ' }), { fields: { email, age: ' ' }, values: { email } })
})

test('the field that fails is named, with what would be right', () => {
  const { code, field, message } = fault({ email, age: 'old' })
  assert.deepEqual([code, field], ['invalid_request', 'fields.age'])
  assert.equal(message, 'fields.age takes a number such as 12 or -3.5.')
})

test('a required field is missed, whether it is left out or blank', () => {
  for (const given of [{}, { email: '' }, { email: '  ' }]) {
    const { field, message } = fault(given)
    assert.equal(field, 'fields.email')
    assert.match(message, /is missing: it takes an email address/)
  }
})

test('a key that the form does not know is refused, and those it knows are named', () => {
  const { field, message } = fault({ email, shoe: '42' })
  assert.equal(field, 'fields.shoe')
  assert.match(message, /Its fields: email, phone, age, likes, texts\./)
})

test('odd keys are keys the form does not know', () => {
  for (const key of ['__proto__', 'constructor', 'toString', '', ' ', '0', 'e\nmail', 'Email']) {
    const given = JSON.parse(`{"email":"${email}",${JSON.stringify(key)}:"x"}`)
    assert.equal(fault(given).field, `fields.${key}`)
  }
  assert.equal(fault({ email, ['k'.repeat(5000)]: 'x' }).field, `fields.${'k'.repeat(80)}…`)
})

test('a form may ask for a key that every object inherits', () => {
  const odd: FormField[] = [{ key: 'constructor', label: 'Who built it?', type: 'text' }]
  assert.deepEqual(read({}, odd), { fields: {}, values: {} })
  const required = odd.map((field) => ({ ...field, required: true }))
  assert.equal(fault({}, required).field, 'fields.constructor')
  assert.deepEqual(read({ constructor: 'Bob' }, odd).values, { constructor: 'Bob' })
})

test('who agrees to be written to must say where', () => {
  const { field, message } = fault({ email, texts: 'true' })
  assert.equal(field, 'fields.phone')
  assert.match(message, /fields\.texts/)
  assert.equal(read({ email, texts: 'false' }).values['texts'], false)
  const phone = '+33123456789'
  assert.equal(read({ email, phone, texts: 'on' }).values['texts'], true)
})

test('answers have a length all together, to the character', () => {
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
