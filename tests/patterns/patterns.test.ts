/**
 * No text written by others may make a regular expression take more than linear time. Each pattern
 * of the shipped code is in table.txt with the kind of its input.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inputs } from './limits.ts'
import { deadlineMs, type PatternTask } from './pattern-task.ts'
import { found, rows } from './read-table.ts'
import { type Outcome, runPatterns } from './run-patterns.ts'

function taskOf({ source, flags }: { source: string; flags: string }, most: number): PatternTask {
  // A value inserted at run time is a name or a number.
  return { source: source.replaceAll(/\$\{\w+\}/g, '7'), flags, most }
}

/** Describes the outcome if it took too long. */
function faultOf(outcome: Outcome): string | undefined {
  const { length } = outcome
  if ('stuck' in outcome) {
    return `does not come to an end with ${length} characters of ${JSON.stringify(outcome.stuck)}`
  }
  if (outcome.ms <= deadlineMs(length)) return undefined
  return `takes ${Math.round(outcome.ms)} ms for ${length} characters of ${JSON.stringify(outcome.text)}`
}

test('no regular expression takes more than linear time on repetitive input', async () => {
  const tried = [...new Map(found.map((entry) => [entry.key, entry])).values()].filter(({ key }) =>
    Object.hasOwn(inputs, rows.get(key) ?? ''),
  )
  const tasks = tried.map((entry) => taskOf(entry, inputs[rows.get(entry.key) ?? ''] ?? 0))
  const outcomes = await runPatterns(tasks)
  const faults = tried.flatMap(({ file, line, spelled }, n) => {
    const fault = faultOf(outcomes[n] as Outcome)
    return fault === undefined ? [] : [`${file}:${line} ${spelled} ${fault}`]
  })
  assert.deepEqual(faults, [], 'Write these without going back: by indexOf, or word by word.')
})

test('regular expressions known to be slow are detected as slow', async () => {
  const slow = ['(a+)+$', '\\s+$', '^(?:\\w+\\s?)*$', '<a\\b[^>]*\\bhref\\s*=\\s*"']
  const tasks = slow.map((source) => ({ source, flags: '', most: 256 * 1024 }))
  // Each would run for as long as the test lets it, and four times ten seconds prove no more.
  const outcomes = await runPatterns(tasks, { patienceMs: 1_500 })
  for (const [n, source] of slow.entries()) {
    assert.match(faultOf(outcomes[n] as Outcome) ?? 'is quick', /takes|does not come/, source)
  }
})
