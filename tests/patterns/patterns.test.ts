/**
 * No text that somebody else wrote may make a regular expression take more than linear time.
 * Each pattern of the shipped code stands in table.txt with the kind of its input.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { findPatterns, patternsOf } from './find-patterns.ts'
import { inputs, reasons } from './limits.ts'
import { deadlineMs, type PatternTask } from './pattern-task.ts'
import { type Outcome, runPatterns } from './run-patterns.ts'

const table = path.join(import.meta.dirname, 'table.txt')

/** By file and pattern, the first word of the row. */
function readTable(): Map<string, string> {
  const rows = new Map<string, string>()
  let file = ''
  for (const line of readFileSync(table, 'utf8').split('\n')) {
    if (line === '') continue
    if (!line.startsWith('  ')) {
      file = line
      continue
    }
    const end = line.indexOf(' ', 2)
    const key = `${file}\n${line.slice(end + 1)}`
    assert.ok(!rows.has(key), `table.txt has a row twice, below ${file}: ${line}`)
    rows.set(key, line.slice(2, end))
  }
  return rows
}

const rows = readTable()
const found = findPatterns().map((one) => ({ ...one, key: `${one.file}\n${one.spelled}` }))

test('every pattern of the code stands in the table', () => {
  assert.ok(found.length > 300, `only ${found.length} patterns were found`)
  const missing = found.filter(({ key }) => !rows.has(key))
  const told = missing.map(({ file, line, spelled }) => `${file}:${line}\n  call ${spelled}`)
  assert.deepEqual(
    told,
    [],
    `Add to tests/patterns/table.txt, below the name of its file, a row for each of these. Its first word is the kind of its input (${Object.keys(inputs).join(', ')}) or, where nobody else's text comes to it, a reason (${Object.keys(reasons).join(', ')}) of tests/patterns/limits.ts.`,
  )
})

test('every row of the table is that of a pattern, with a known first word', () => {
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

function taskOf({ source, flags }: { source: string; flags: string }, most: number): PatternTask {
  // What is put in at run time is a name or a number.
  return { source: source.replaceAll(/\$\{\w+\}/g, '7'), flags, most }
}

/** In words, where it took too long. */
function faultOf(outcome: Outcome): string | undefined {
  const { length } = outcome
  if ('stuck' in outcome) {
    return `does not come to an end with ${length} characters of ${JSON.stringify(outcome.stuck)}`
  }
  if (outcome.ms <= deadlineMs(length)) return undefined
  return `takes ${Math.round(outcome.ms)} ms for ${length} characters of ${JSON.stringify(outcome.text)}`
}

test('no pattern takes more than linear time, whatever its input repeats', async () => {
  const tried = [...new Map(found.map((one) => [one.key, one])).values()].filter(({ key }) =>
    Object.hasOwn(inputs, rows.get(key) ?? ''),
  )
  const tasks = tried.map((one) => taskOf(one, inputs[rows.get(one.key) ?? ''] ?? 0))
  const outcomes = await runPatterns(tasks)
  const faults = tried.flatMap(({ file, line, spelled }, n) => {
    const fault = faultOf(outcomes[n] as Outcome)
    return fault === undefined ? [] : [`${file}:${line} ${spelled} ${fault}`]
  })
  assert.deepEqual(faults, [], 'Write these without going back: by indexOf, or word by word.')
})

test('what is known to be slow is found to be', async () => {
  const slow = ['(a+)+$', '\\s+$', '^(?:\\w+\\s?)*$', '<a\\b[^>]*\\bhref\\s*=\\s*"']
  const tasks = slow.map((source) => ({ source, flags: '', most: 256 * 1024 }))
  const outcomes = await runPatterns(tasks)
  for (const [n, source] of slow.entries()) {
    assert.match(faultOf(outcomes[n] as Outcome) ?? 'is quick', /takes|does not come/, source)
  }
})

test('patterns are found wherever they stand, and nowhere else', () => {
  const text = [
    "const part = 'a+'",
    "const text = 'no /x/ here' // nor /y/",
    'const one = /b\\/c/gi, half = 4 / 2 / 1',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: so a hole is found.
    "const two = new RegExp(`^${part}${n}$`, 'u'), three = RegExp(String.raw`\\d`)",
    "const schema = { pattern: '^[a-z]$', other: 'x' }",
  ].join('\n')
  const spelled = patternsOf('x.ts', text).map((one) => `${one.line} ${one.spelled}`)
  // biome-ignore lint/suspicious/noTemplateCurlyInString: so a hole is shown.
  assert.deepEqual(spelled, ['3 /b\\/c/gi', '4 /^a+${n}$/u', '4 /\\d/', '5 /^[a-z]$/u'])
})
