import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cpuMs } from '../../../tests/support/processes/cpu-time.ts'
import { fc } from '../../../tests/support/properties.ts'
import { intentOf } from './intent.ts'
import { optOutPhrases } from './opt-out-phrases.ts'

const stops = ['STOP', 'QUIT', 'END', 'REVOKE', 'OPT OUT', 'CANCEL', 'UNSUBSCRIBE', 'STOPALL']

test('each keyword is recognised', () => {
  for (const word of stops) assert.equal(intentOf(word), 'stop', word)
  for (const word of ['START', 'UNSTOP']) assert.equal(intentOf(word), 'start', word)
  for (const word of ['HELP', 'INFO']) assert.equal(intentOf(word), 'help', word)
})

test('case, punctuation, width, spaces and emoji are ignored in a keyword', () => {
  for (const text of [
    'stop',
    ' Stop. ',
    '"STOP!!"',
    'ＳＴＯＰ',
    'ｓｔｏｐ！',
    'opt-out',
    'OptOut',
    'Stop all',
    'STOP\r\n',
    'stop 🙏',
    's t o p',
    'st\u200bop',
    '\ufeffSTOP',
    '𝐒𝐓𝐎𝐏',
  ]) {
    assert.equal(intentOf(text), 'stop', JSON.stringify(text))
  }
  assert.equal(intentOf('Help?'), 'help')
  assert.equal(intentOf('un-stop'), 'start')
})

test('any decoration of a keyword leaves it recognised', () => {
  const dressing = fc
    .array(fc.constantFrom(' ', '.', '!', '?', '-', '*', '"', '\n', '\t', '…', '🙏', '\u00a0'))
    .map((parts) => parts.join(''))
  const cased = fc
    .constantFrom(...stops)
    .chain((word) =>
      fc
        .array(fc.boolean(), { minLength: word.length, maxLength: word.length })
        .map((upper) =>
          Array.from(word, (c, i) => (upper[i] ? c.toUpperCase() : c.toLowerCase())).join(''),
        ),
    )
  fc.assert(
    fc.property(dressing, cased, dressing, (a, word, b) => intentOf(a + word + b) === 'stop'),
  )
})

test('a text that asks to stop in other words is marked for review', () => {
  for (const text of [
    'please stop texting me',
    'Stop texting me!!',
    'STOP it now',
    'Pls remove me from your list',
    "Don't text this number",
    'Don’t text me again',
    'I think you have the wrong number',
    'Unsubscribe me from this',
    'cancel my subscription',
    'NO MORE TEXTS',
  ]) {
    assert.equal(intentOf(text), 'opt_out', text)
  }
})

test('a text without an opt-out meaning is classified as other', () => {
  for (const text of [
    'Yes please',
    'See you at the bus stop',
    'nonstop flights only',
    'When does it end?',
    'I need help with my order',
    'Start at 9?',
    '',
    '👍',
    '12',
  ]) {
    assert.equal(intentOf(text), 'other', text)
  }
})

test('each phrase of the opt-out list is recognised in a text', () => {
  for (const phrase of optOutPhrases) {
    assert.match(phrase, /^[a-z]+( [a-z]+)*$/)
    assert.notEqual(intentOf(`hi, ${phrase} thanks`), 'other', phrase)
  }
})

test('any text of any length is classified quickly', () => {
  const anyText = fc
    .array(fc.integer({ min: 0, max: 0xffff }))
    .map((units) => String.fromCharCode(...units))
  fc.assert(fc.property(anyText, (text) => intentOf(text) !== undefined))
  const began = cpuMs()
  assert.equal(intentOf('stop '.repeat(100_000)), 'opt_out')
  assert.ok(cpuMs() - began < 200)
})
