/** Each pattern of the shipped code is in table.txt, with the kind of its input. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { patternsOf } from './find-patterns.ts'
import { inputs, reasons } from './limits.ts'
import { found, rows } from './read-table.ts'

test('every regular expression in the code is in the table', () => {
  assert.ok(found.length > 300, `only ${found.length} patterns were found`)
  const missing = found.filter(({ key }) => !rows.has(key))
  const told = missing.map(({ file, line, spelled }) => `${file}:${line}\n  call ${spelled}`)
  assert.deepEqual(
    told,
    [],
    `Add to tests/patterns/table.txt, below the name of its file, a row for each of these. Its first word is the kind of its input (${Object.keys(inputs).join(', ')}) or, where nobody else's text comes to it, a reason (${Object.keys(reasons).join(', ')}) of tests/patterns/limits.ts.`,
  )
})

test('every row of the table belongs to a regular expression and has a known first word', () => {
  const known = new Set(found.map(({ key }) => key))
  const stale = [...rows.keys()].filter((key) => !known.has(key))
  assert.deepEqual(stale, [], 'Take these rows out of tests/patterns/table.txt.')
  for (const [key, word] of rows) {
    assert.ok(Object.hasOwn(inputs, word) || Object.hasOwn(reasons, word), `${word}: ${key}`)
  }
  const used = new Set(rows.values())
  assert.deepEqual(
    Object.keys(reasons).filter((name) => !used.has(name)),
    [],
    'nobody uses these reasons',
  )
})

test('regular expressions are found in every place in the code, and nothing else is', () => {
  const text = [
    "const part = 'a+'",
    "const text = 'no /x/ here' // nor /y/",
    'const one = /b\\/c/gi, half = 4 / 2 / 1',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: so a hole is found.
    "const two = new RegExp(`^${part}${n}$`, 'u'), three = RegExp(String.raw`\\d`)",
    "const schema = { pattern: '^[a-z]$', other: 'x' }",
  ].join('\n')
  const spelled = patternsOf('x.ts', text).map((pattern) => `${pattern.line} ${pattern.spelled}`)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: so a hole is shown.
  assert.deepEqual(spelled, ['3 /b\\/c/gi', '4 /^a+${n}$/u', '4 /\\d/', '5 /^[a-z]$/u'])
})
