/** The tables of keywords, as a whole: no word means two things, and none is out of reach. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { recipientLanguages } from '../core/recipient-words/languages.ts'
import { intentOf, phrasesOf } from './intent.ts'
import { courtesies, elsewhere, everywhere, fillers, type Keywords, keywords } from './keywords.ts'

const tables: [string, Keywords][] = [
  ['everywhere', everywhere],
  ...Object.entries(keywords),
  ...elsewhere.map((table, index): [string, Keywords] => [`elsewhere ${index}`, table]),
]
const meaningsByTable = { stop: 'stop', start: 'start', help: 'help', maybe: 'opt_out' } as const
const kinds = ['stop', 'start', 'help', 'maybe'] as const

test('no whole text means two things, in whatever languages', () => {
  const meant = new Map<string, string>()
  const twice: string[] = []
  for (const [language, table] of tables) {
    for (const kind of kinds) {
      for (const phrase of phrasesOf(table[kind])) {
        const key = phrase.join('')
        const before = meant.get(key)
        if (before !== undefined && !before.startsWith(`${kind} `)) {
          twice.push(`${key}: ${before}, ${kind} in ${language}`)
        }
        meant.set(key, `${kind} in ${language}`)
      }
    }
  }
  assert.deepEqual(twice, [])
  assert.ok(meant.size > 4_000, `only ${meant.size}`)
})

test('every phrase of the tables is found as what it is, with a courtesy of any language too', () => {
  for (const [language, table] of tables) {
    for (const kind of kinds) {
      for (const phrase of phrasesOf(table[kind])) {
        const text = phrase.join(' ')
        assert.equal(intentOf(text).meaning, meaningsByTable[kind], `${language}: ${text}`)
      }
    }
    for (const phrase of phrasesOf(table.within)) {
      const text = phrase.join(' ')
      const { meaning } = intentOf(text)
      assert.ok(meaning === 'stop' || meaning === 'opt_out', `${language}: ${text} is ${meaning}`)
    }
  }
  for (const courtesy of phrasesOf(courtesies).map((words) => words.join(' '))) {
    for (const text of [`${courtesy} stop`, `STOP, ${courtesy}!`, `abmelden ${courtesy}`]) {
      assert.equal(intentOf(text).meaning, 'stop', text)
    }
  }
})

test('a filler before a START makes it a part of a talk, and before an ordinary word a doubt', () => {
  for (const filler of phrasesOf(fillers).map((words) => words.join(' '))) {
    assert.equal(intentOf(`${filler} stop`).meaning, 'stop', filler)
    assert.equal(intentOf(`${filler} cancel`).meaning, 'opt_out', filler)
    assert.notEqual(intentOf(`${filler} anmelden`).meaning, 'start', filler)
  }
})

test('there are words in every language in which the service answers', () => {
  assert.deepEqual(Object.keys(keywords).toSorted(), recipientLanguages.toSorted())
  for (const [language, table] of Object.entries(keywords)) {
    for (const kind of [...kinds, 'within'] as const) {
      assert.ok(table[kind].length > 0, `${language} ${kind}`)
    }
  }
})
