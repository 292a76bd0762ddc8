import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../../tests/support/properties.ts'
import { isRefusal } from '../../core/errors.ts'
import { normalisePhone } from './phone-number.ts'

test('invisible characters that a copied number brings along are dropped', () => {
  for (const typed of [
    '\u202a+33 6 12 34 56 78\u202c',
    '\u202d+33612345678',
    '+33\u200b612345678\ufeff',
  ]) {
    assert.equal(normalisePhone(typed), '+33612345678', JSON.stringify(typed))
  }
})

test('a phone number is normalised to one spelling, however it was typed', () => {
  for (const typed of [
    '+33612345678',
    ' +33 6 12 34 56 78 ',
    '+33 (0)6 12-34.56.78',
    '＋３３６１２３４５６７８',
  ]) {
    assert.equal(normalisePhone(typed), '+33612345678')
  }
})

test('valid phone numbers of several countries are accepted', () => {
  for (const number of ['+14155552671', '+447911123456', '+5511987654321', '+819012345678']) {
    assert.equal(normalisePhone(number), number)
  }
})

test('numbers under +999 000 exist nowhere and are taken for trials', () => {
  assert.equal(normalisePhone('+999 000 1'), '+9990001')
  assert.equal(normalisePhone('+999 (000) 4-12345678'), '+999000412345678')
})

test('text that is not a callable phone number is refused with the field and the expected form', () => {
  const cases: [string, RegExp][] = [
    ['06 12 34 56 78', /needs its country code/],
    ['0033612345678', /needs its country code/],
    ['', /needs its country code/],
    ['+33 6 12 34', /no phone number that exists/],
    ['+999 123 456 789', /no phone number that exists/],
    ['+999 000', /no phone number that exists/],
    ['+999 000 1234567890', /no phone number that exists/],
    ['+33612345678 or home', /no phone number that exists/],
    ['+33 6 12 34 56 78 ext. 5', /must not have an extension/],
    [`+${'1'.repeat(10_000)}`, /too long/],
  ]
  for (const [typed, why] of cases) {
    const refusal = normalisePhone(typed)
    assert.ok(isRefusal(refusal), typed)
    assert.equal(refusal.code, 'invalid_request')
    assert.equal(refusal.details.field, 'phone')
    assert.match(refusal.message, why)
    assert.match(refusal.message, /\+33 6 12 34 56 78/)
  }
})

test('a normalised phone number is plain E.164, and normalising it again changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...'+0123456789 ()-'.split('')) }), (text) => {
      const once = normalisePhone(text)
      if (isRefusal(once)) return
      assert.match(once, /^\+[1-9]\d{6,14}$/)
      assert.equal(normalisePhone(once), once)
    }),
  )
})
