import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { cpuMs } from '../../../tests/support/processes/cpu-time.ts'
import { fc } from '../../../tests/support/properties.ts'
import { intentOf, isYes } from './intent.ts'

const meaningOf = (text: string) => intentOf(text).meaning

interface Row {
  text: string
  language: string
  means: 'stop' | 'start' | 'help' | 'maybe_stop' | 'none'
  source: string
}

const rows = JSON.parse(
  readFileSync(new URL('../../../tests/corpus/sms/words.json', import.meta.url), 'utf8'),
) as Row[]

test('each text of the corpus is understood, in whatever language it is', () => {
  const expected = {
    maybe_stop: 'opt_out',
    none: 'other',
    stop: 'stop',
    start: 'start',
    help: 'help',
  }
  const wrong = rows
    .map((row) => ({ ...row, seen: meaningOf(row.text) }))
    .filter(({ means, seen }) => seen !== expected[means])
    .map(({ text, language, means, seen }) => `${language} ${text}: ${means}, seen ${seen}`)
  assert.deepEqual(wrong, [])
  assert.ok(rows.length > 270)
  for (const { text, source } of rows) assert.ok(source.length > 0, text)
})

const stops = ['STOP', 'QUIT', 'END', 'REVOKE', 'OPT OUT', 'CANCEL', 'UNSUBSCRIBE', 'STOPALL']

test('case, accents, punctuation, width, spaces and emoji are ignored in a keyword', () => {
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
    'arre\u0302t',
    'ARRÊT',
    'désabonner',
    'DESABONNER',
    'kuendigen sms',
    'KÜNDIGEN SMS',
  ]) {
    assert.equal(meaningOf(text), 'stop', JSON.stringify(text))
  }
  assert.equal(meaningOf('Help?'), 'help')
  assert.equal(meaningOf('un-stop'), 'start')
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
    fc.property(dressing, cased, dressing, (a, word, b) => meaningOf(a + word + b) === 'stop'),
  )
})

test('a text that may ask to stop is marked for review', () => {
  for (const text of [
    'STOP it now',
    'please stop, you keep sending this to my mother',
    'Hi, please take my number off and delete it',
    'I think you have the wrong number',
    'Unsubscribe me from this rubbish',
    'cancel my subscription',
    'I never asked for this, stop texting me or I report you',
    'Bonjour, je ne veux plus recevoir ces offres',
    'Woher haben Sie meine Nummer?',
    'STOP at once',
    'don’t stop the music but please remove me',
  ]) {
    assert.equal(meaningOf(text), 'opt_out', text)
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
    'stop by after work',
    'Stop over in Paris?',
  ]) {
    assert.equal(meaningOf(text), 'other', text)
  }
})

test('START is never made of a longer text', () => {
  for (const text of [
    'start on Monday?',
    'can we start',
    'ok start',
    'hi start',
    'anmelden für Montag',
    'wann kann ich mich anmelden',
    'voltar ao trabalho',
    'alta calidad',
    'zapisz mnie na wtorek',
    '登録はどこで',
    'start '.repeat(30).concat('now'),
  ]) {
    assert.notEqual(meaningOf(text), 'start', text)
  }
})

test('a keyword has the languages that it belongs to, and those of every language have none', () => {
  const languages = (text: string) => intentOf(text).languages
  assert.deepEqual(languages('ARRET'), ['fr'])
  assert.deepEqual(languages('abmelden bitte'), ['de'])
  assert.deepEqual(languages('parar'), ['es', 'pt'])
  assert.deepEqual(languages('إيقاف'), ['ar'])
  assert.deepEqual(languages('停止'), ['ja'])
  for (const text of ['STOP', 'Stopp', 'START', 'HELP', 'info', 'hjælp', 'СТОП', 'hello']) {
    assert.deepEqual(languages(text), [], text)
  }
})

test('a bare yes is known in the languages of carriers', () => {
  for (const text of ['YES', 'Yes!', 'ja', 'Oui', 'SÍ', 'sim', 'tak', 'はい', 'نعم']) {
    assert.ok(isYes(text), text)
  }
  for (const text of ['yes 2 people', 'no', '', 'START']) assert.ok(!isYes(text), text)
})

test('any text of any length is classified quickly', () => {
  const anyText = fc
    .array(fc.integer({ min: 0, max: 0xffff }))
    .map((units) => String.fromCharCode(...units))
  fc.assert(fc.property(anyText, (text) => meaningOf(text) !== undefined))
  const hostile = [
    'please '.repeat(100_000),
    'x '.repeat(1e5),
    '\u0301'.repeat(1e6),
    'ﷺ'.repeat(1e5),
  ]
  const began = cpuMs()
  for (const text of hostile) assert.ok(meaningOf(text) !== 'stop')
  assert.equal(meaningOf('stop '.repeat(100_000)), 'stop')
  assert.ok(cpuMs() - began < 500)
})
