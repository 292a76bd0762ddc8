import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fc } from '../../../tests/support/properties.ts'
import { formatId, type Id, type Noun, newId, newPublicId, parseId, timeOf } from './ids.ts'

const anyNoun = fc.constantFrom<Noun>('business', 'user', 'contact', 'event', 'job')
/** Of the versions that stand for themselves: one of version 8 is shown as its live business. */
const anyId = fc.uuid({ version: [1, 2, 3, 4, 5, 6, 7] }).map((uuid) => uuid as Id<Noun>)

test('every id can be read back from its public form', () => {
  fc.assert(
    fc.property(anyNoun, anyId, (noun, id) => {
      const text = formatId(noun, id)
      assert.match(text, /^[a-z]{3}_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      assert.equal(parseId(noun, text), id)
    }),
  )
})

test('the lowest and the highest id can be read back from their public form', () => {
  for (const digit of ['0', 'f']) {
    const id = [8, 4, 4, 4, 12].map((length) => digit.repeat(length)).join('-') as Id<'user'>
    assert.equal(parseId('user', formatId('user', id)), id)
  }
  assert.equal(
    formatId('user', 'ffffffff-ffff-ffff-ffff-ffffffffffff' as Id<'user'>),
    `usr_7${'z'.repeat(25)}`,
  )
})

test('public ids sort in the same order as their ids', () => {
  fc.assert(
    fc.property(anyId, anyId, (a, b) => {
      const spelled = formatId('event', a) < formatId('event', b)
      assert.equal(spelled, a < b)
    }),
  )
})

test('a later id sorts after an earlier one, also within a millisecond', () => {
  const ids = Array.from({ length: 5000 }, () => newId('contact'))
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(new Set(ids).size, ids.length)
})

test('a new public id is a UUID v7, and sorts in one order with other ids', () => {
  const ids = Array.from({ length: 5000 }, (_, i) =>
    i % 3 === 0 ? formatId('request', newId('request')) : newPublicId('request'),
  )
  assert.deepEqual(ids.toSorted(), ids)
  assert.equal(new Set(ids).size, ids.length)
  for (const id of ids) {
    const uuid = parseId('request', id) ?? ''
    assert.match(uuid, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    assert.ok(Math.abs(timeOf(uuid as Id<'request'>).getTime() - Date.now()) < 60_000)
  }
  // Each of the 62 random bits varies, and no two of them are always equal.
  const digits = ids
    .filter((_, i) => i % 3 > 0)
    .map((id) => {
      const hex = parseId('request', id)?.replaceAll('-', '') ?? ''
      return BigInt(`0x${hex}`).toString(2).padStart(128, '0').slice(66)
    })
  const courses = Array.from({ length: 62 }, (_, bit) => digits.map((all) => all[bit]).join(''))
  assert.ok(courses.every((course) => course.includes('0') && course.includes('1')))
  assert.equal(new Set(courses).size, 62)
})

test('an id contains its creation time', () => {
  const before = Date.now()
  const made = Number.parseInt(newId('contact').replaceAll('-', '').slice(0, 12), 16)
  assert.ok(made >= before && made <= Date.now())
})

test('an id of another kind is not accepted', () => {
  fc.assert(
    fc.property(anyNoun, anyNoun, anyId, (made, asked, id) => {
      fc.pre(made !== asked)
      assert.equal(parseId(asked, formatId(made, id)), undefined)
    }),
  )
})

test('malformed text is not read as an id', () => {
  const fine = formatId('business', newId('business'))
  const letter = fine.slice(4).search(/[a-z]/) + 4
  const wrong = {
    'a value beyond 128 bits': `bus_8${'0'.repeat(25)}`,
    'upper case': fine.slice(0, letter) + fine.slice(letter).toUpperCase(),
    'an upper-case prefix': fine.toUpperCase(),
    'one character less': fine.slice(0, -1),
    'one character more': `${fine}0`,
    'a letter the alphabet leaves out': `${fine.slice(0, -1)}u`,
    'space around it': ` ${fine}`,
    'a character of two code units': `${fine.slice(0, -2)}😀`,
    'the bare uuid': newId('business'),
    'no digits': 'bus_',
    nothing: '',
  }
  for (const [what, text] of Object.entries(wrong)) {
    assert.equal(parseId('business', text), undefined, what)
  }
})

test('a text that is read as an id is formatted to exactly the same text', () => {
  const anyText = fc.stringMatching(/^bus_[0-9a-z]{26}$/)
  fc.assert(
    fc.property(anyText, (text) => {
      const id = parseId('business', text)
      if (id !== undefined) assert.equal(formatId('business', id), text)
    }),
  )
})
