import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SegmentedMessage } from 'sms-segments-calculator'
import { compareSegments } from '../../../../tests/support/sms/segment-oracle.ts'
import { decodeGsm, encodeGsm } from './gsm-alphabet.ts'
import { mostSegments, partsOf, segmentsOf } from './segments.ts'

const counted = (text: string) => {
  const { encoding, segments, unitsLeft } = segmentsOf(text)
  return [encoding, segments, unitsLeft]
}

test('an empty text is one segment', () => {
  assert.deepEqual(counted(''), ['gsm-7', 1, 160])
})

test('160 septets are one segment, and 161 are two of at most 153', () => {
  assert.deepEqual(counted('a'.repeat(160)), ['gsm-7', 1, 0])
  assert.deepEqual(counted('a'.repeat(161)), ['gsm-7', 2, 145])
  assert.deepEqual(counted('a'.repeat(306)), ['gsm-7', 2, 0])
  assert.deepEqual(counted('a'.repeat(307)), ['gsm-7', 3, 152])
})

test('a character behind the escape costs two septets, which stay in one part', () => {
  assert.deepEqual(counted(`${'a'.repeat(158)}€`), ['gsm-7', 1, 0])
  assert.deepEqual(counted(`${'a'.repeat(159)}€`), ['gsm-7', 2, 145])
  const { parts } = partsOf(`${'a'.repeat(152)}€${'b'.repeat(152)}`)
  assert.deepEqual(
    parts.map((part) => part.length),
    [152, 152, 1],
  )
})

test('70 units of UTF-16 are one segment, and 71 are two of at most 67', () => {
  assert.deepEqual(counted('ж'.repeat(70)), ['ucs-2', 1, 0])
  assert.deepEqual(counted('ж'.repeat(71)), ['ucs-2', 2, 63])
  assert.deepEqual(counted('ж'.repeat(134)), ['ucs-2', 2, 0])
  assert.deepEqual(counted('ж'.repeat(135)), ['ucs-2', 3, 66])
})

test('one character outside the GSM alphabet turns the whole text into UCS-2', () => {
  assert.deepEqual(counted(`${'a'.repeat(70)}\``), ['ucs-2', 2, 63])
})

test('a character as a reader sees it is not cut between two parts', () => {
  const family = '👨‍👩‍👧‍👦'
  const text = `${'ж'.repeat(60)}${family}${'ж'.repeat(60)}`
  assert.deepEqual(partsOf(text).parts[0], 'ж'.repeat(60))
  assert.equal(partsOf(text).parts.join(''), text)
})

test('letters and accents that are apart count as the letters that they compose', () => {
  for (const text of [
    'Café ouvert',
    'Ça va, élève naïve à Åre? ¡Señor!',
    'Größe, Öl, Übung, Änderung',
    // The signs of angstrom and ohm are the letters of the alphabet too.
    'Å Ω'.repeat(10),
    'Żółć po polsku',
    'بآرك',
    'パーティーがあります',
    '각 나라',
  ]) {
    const apart = text.normalize('NFD').replaceAll('Å', '\u212b').replaceAll('Ω', '\u2126')
    assert.deepEqual(segmentsOf(apart), segmentsOf(text), text)
    assert.equal(partsOf(apart).parts.join(''), text)
  }
  assert.deepEqual(counted('Cafe\u0301 ouvert'), ['gsm-7', 1, 149])
  assert.deepEqual(counted('e\u0301'.repeat(161)), ['gsm-7', 2, 145])
})

test('a grapheme longer than a segment is cut between its code points', () => {
  const tower = `a${'\u0301'.repeat(200)}`
  assert.equal(segmentsOf(tower).segments, 3)
  const flood = `👍${'🏽\u200d'.repeat(100)}`
  for (const part of partsOf(flood).parts) {
    assert.ok(part.length <= 67)
    assert.ok(part.isWellFormed())
  }
  assert.equal(partsOf(flood).parts.join(''), flood)
})

test('a text of 255 segments is the longest that a header can count', () => {
  assert.equal(segmentsOf('a'.repeat(153 * mostSegments)).segments, 255)
})

test('every character of the GSM alphabet survives encoding and decoding', () => {
  let all = ''
  for (let code = 0; code < 0x10000; code++) {
    const character = String.fromCharCode(code)
    if (encodeGsm(character)) all += character
  }
  assert.equal(all.length, 127 + 10)
  assert.equal(decodeGsm(encodeGsm(all) ?? Buffer.alloc(0)), all)
})

test('invalid septets are decoded without an error', () => {
  assert.equal(decodeGsm(Buffer.from([0x41, 0x1b])), 'A\ufffd')
  assert.equal(decodeGsm(Buffer.from([0x1b, 0x41, 0x1b, 0x1b, 0x80])), 'A \ufffd')
})

test('the segment counter agrees with the public one, and the parts agree with the count', () => {
  const { texts, differences } = compareSegments(3000, 1)
  assert.equal(texts, 3000)
  assert.deepEqual(differences, [])
})

// The public counter uses the graphemes of Unicode 10. Since 15.1 a consonant that is joined to the
// next belongs to it (UAX 29, GB9c), as Bengali and Hindi readers see it.
test('a conjunct of an Indic script is not cut, unlike in the public counter', () => {
  const text = `${'ж'.repeat(65)}ন্ত${'ж'.repeat(64)}`
  assert.equal(partsOf(text).parts[0], 'ж'.repeat(65))
  assert.equal(segmentsOf(text).segments, 2)
  assert.equal(segmentsOf(`${text}ж`).segments, 3)
  assert.equal(new SegmentedMessage(`${text}ж`).segmentsCount, 2)
})
