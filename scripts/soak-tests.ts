/** Runs tests at full length that are small in `npm test`. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { testFlags } from './test.ts'

const root = path.join(import.meta.dirname, '..')

/** 20,000 random filters against their plain evaluator. */
export function filterSoak(): string {
  const { told, seconds } = runTest('server/src/contacts/filters/compile.test.ts', {
    env: { FILTERS: '20000' },
    line: 'filters told people apart',
  })
  return `## Filters against a plain evaluator

20,000 random filters over random people, their consents, events and dates in ${seconds} s: the compiled filter and the plain evaluator found the same people each time (${told}).
`
}

/** Sequences, their waits and dates, against a naive simulator. */
export function sequenceOracleSoak(): string {
  const { told, seconds } = runTest('server/src/sequences/oracle.test.ts', {
    env: { CASES: '5000', SEQUENCES: '5000' },
    line: 'sequences were compared',
    minutes: 240,
  })
  return `## Sequences against a naive simulator

5,000 waits, opening hours and dates in nine zones from 2026 to 2028, and random sequences with splits, waits for events, hours, caps and control groups in ${seconds} s (${told}): the same entries, dates, steps, exits and effects as a simulator that walks along the clock on the wall.
`
}

/** Whether the interval of a control group's effect holds the truth, and how often none is taken for one. */
export function effectSoak(): string {
  const { told, seconds } = runTest('server/src/sequences/effect.test.ts', {
    env: { EXPERIMENTS: '2000' },
    line: 'experiments: the interval',
  })
  return `## The effect of automations in simulated experiments

${told}, in ${seconds} s.
`
}

/** Own ids of people, with changes of addresses and merges, beside a model. */
export function externalIdSoak(): string {
  const { told, seconds } = runTest('server/src/contacts/external-id.test.ts', {
    env: { CASES: '10000' },
    line: 'upserts and merges',
  })
  return `## Own ids of people

${told} in ${seconds} s: each call had the outcome that a simple model told, and no opted-out address became mailable by a change.
`
}

/** Somebody who wants the addresses that a connection sees masked. */
export function maskedSoak(): string {
  const { told, seconds } = runTest('tests/attacks/masked-connection.test.ts', {
    env: { MASKED_PEOPLE: '200', MASKED_CALLS: '40' },
    line: 'calls guessed parts of',
    minutes: 60,
  })
  return `## A connection that sees people masked

${told} in ${seconds} s, by every operator of conditions, search, segments, imports and content: no answer to a part differed from that to a text that is a part of none. Before, 40 valid, wrong and arbitrary calls of each operation brought no part of 200 addresses and numbers that stand in every field.
`
}

/** The attack on a form: 10,000 submissions over 500 strangers' addresses. */
export function formSoak(): string {
  const { told, seconds } = runTest('server/src/forms/guard/guard.test.ts', {
    env: { FORM_SUBMISSIONS: '10000' },
    line: 'submissions over',
  })
  return `## A form used against strangers

${told} in ${seconds} s: 100 before the form is guarded at most, then 20 an hour; nobody was written to twice, and the form turned back a day after the attack.
`
}

/** An import of a file that is killed again and again. */
export function importSoak(): string {
  const { told, seconds } = runTest('tests/imports/killed.test.ts', {
    env: { IMPORT_ROWS: '1000000', IMPORT_KILLS: '10' },
    line: 'rows imported over',
  })
  return `## kill -9 while a file is imported

${told} in ${seconds} s: the import went on by itself after each start, and everybody was there once.
`
}

/** A gigabyte without a line break, sent to the service as a stream. */
export function fileSoak(): string {
  const { told, seconds } = runTest('tests/imports/hostile-files.test.ts', {
    env: { IMPORT_LINE_MB: '1024' },
    line: 'one row of',
  })
  return `## A file of 1 GB that is one line

Sent as a stream below a heading, all in ${seconds} s; ${told}. Memory is that of the service and of the client that sends it, in one process.
`
}

/** Four processes behind a proxy: a worker killed every four seconds, api nodes rolled all the while. */
export function nodeSoak(): string {
  const { told, seconds } = runTest('tests/operate/nodes.test.ts', {
    env: { NODES_KILLS: '30' },
    line: 'restarts of both api nodes',
  })
  return `## Four processes, killed and restarted under load

Two api and two worker processes behind a proxy, in ${seconds} s. ${told}.
`
}

/** Arguments of every kind to every operation, more of them than in `npm test`. */
export function inputSoak(): string {
  const { seconds } = runTest('tests/operations/inputs.test.ts', {
    env: { INPUT_RUNS: '1000' },
    line: 'answers or refuses correctly',
  })
  return `## Arguments of every kind

1,000 random calls of every operation in ${seconds} s: each answer fitted its schema, and each refusal named its field and left every row as it was.
`
}

/** Words of mails between the editor, their stored text and the mail. */
export function wordSoak(): string {
  const { told, seconds } = runTest('tests/mail-editor/written-text.test.ts', {
    env: { PROPERTY_RUNS: '5000' },
    line: 'came back as they were written',
  })
  return `## Words of a mail

Written in the editor, saved, read and saved again in ${seconds} s: ${told}.
`
}

/** Each page of the app in both themes at both widths, of which `npm test` tries two. */
export function lookSoak(): string {
  const { told, seconds } = runTest('tests/e2e/app/*.test.ts', {
    env: { LOOKS: 'all' },
    line: '# pass ',
  })
  return `## The pages of the app in each look

Light and dark, at 1280 and 390 px, in ${seconds} s: no accessibility fault, nothing too wide, no complaint in the console (tests: ${told}).
`
}

/** Every bench with the smallest sizes; `npm test` runs those of what is done most. */
export function benchSoak(): string {
  const { told, seconds } = runTest('tests/bench/smallest.test.ts', {
    env: { BENCHES: 'all' },
    line: '# pass ',
  })
  return `## Every bench

Each ran and ended with the smallest sizes, in ${seconds} s (tests: ${told}).
`
}

/** Runs a test file, or those of a pattern, as `npm test` does, and returns the line that it reports. */
export function runTest(
  file: string,
  { env, line, minutes = 20 }: { env: Record<string, string>; line: string; minutes?: number },
): { told: string; seconds: number } {
  const began = performance.now()
  const run = spawnSync(
    process.execPath,
    [...testFlags, `--test-timeout=${minutes * 60_000}`, '--test-reporter=tap', file],
    {
      cwd: root,
      env: { ...process.env, ...env },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  if (run.status !== 0) throw new Error(run.stdout)
  const told = run.stdout.split('\n').find((text) => text.includes(line))
  if (!told) throw new Error(`${file} did not report what it tried.`)
  return {
    told: told.replace(/^[# ]*/, ''),
    seconds: Math.round((performance.now() - began) / 1000),
  }
}
