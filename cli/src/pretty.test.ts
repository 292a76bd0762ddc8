import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { pretty } from './pretty.ts'

const shown = (value: unknown) => stripVTControlCharacters(pretty(value))

test('a list of flat objects is a table', () => {
  const rows = [
    { id: 'bus_1', name: 'Blue Bottle', roles: ['owner'] },
    { id: 'bus_22', name: null, extra: 3 },
  ]
  assert.equal(
    shown(rows),
    [
      'id      name         roles  extra',
      'bus_1   Blue Bottle  owner  –',
      'bus_22  –            –      3',
    ].join('\n'),
  )
})

test('an object is a line for each key, and what is nested is indented', () => {
  const value = { url: 'http://x', list: [{ a: 1 }], deep: { b: true }, empty: {} }
  assert.equal(
    shown(value),
    ['url    http://x', 'list', '  a', '  1', 'deep', '  b  true', 'empty', '  nothing'].join('\n'),
  )
})

test('a list of uneven things is a list', () => {
  assert.equal(shown([{ a: { b: 1 } }, 'x']), ['- a', '    b  1', '- x'].join('\n'))
  assert.equal(shown([]), 'none')
})

test('dates are shown as the JSON says them, and what is undefined is left out', () => {
  const value = { at: new Date('2026-01-02T03:04:05Z'), none: undefined }
  assert.equal(shown([value]), ['at', '2026-01-02T03:04:05.000Z'].join('\n'))
  assert.equal(shown(undefined), '–')
})

test("control characters in a stranger's text cannot reach the terminal", () => {
  const text = pretty({ 'na\u001bme': '\u001b[2Jgone\nnext\u0007\u009b31m' })
  assert.match(text, /�\[2Jgone⏎next��31m/)
  assert.doesNotMatch(stripVTControlCharacters(text), /\p{Cc}/u)
})
