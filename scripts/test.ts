/**
 * `npm run test:only [FILE ...]`: runs the files named, or all that `npm run check` does not run, in
 * three processes at a time: most wait for a browser, a database or a timer for half of their time.
 * Files of a folder share a process, one after the other, since each would load the service anew
 * (`sharedProcesses`). Files with a red test are run once more, each alone, when all others have ended. What is green then is flaky:
 * it is listed at the end and in docs/flaky.md, and the run passes. What is red twice fails.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Outcome } from '../tests/support/outcomes-reporter.ts'
import {
  ofEachFile,
  sharedProcesses,
  sharingFolders,
  sharingSource,
  type Told,
} from './test-processes.ts'

const root = path.join(import.meta.dirname, '..')
const flakyPage = path.join(root, 'docs/flaky.md')

/** More red files than this are the fault of a change or a machine, not of chance. */
const mostFilesRunAgain = 20
const slowestListed = 20

/** On two cores; what is red because of the others is run again alone. */
const processesAtOnce = 3

/** A file that hangs when it is run again is ended and counts as red. */
const longestRunAgain = 10 * 60_000

/** How Node runs a test file of this project. */
export const testFlags = [
  '--conditions=crier-source',
  '--import=./tests/support/compile-cache.mjs',
  '--import=./tests/support/one-connection.ts',
  '--import=./tests/support/file-deadline.ts',
  '--test',
  '--test-timeout=300000',
  '--test-global-setup=tests/support/global-setup.ts',
]

/** The test files that `npm run check` runs. `npm test` has run them before these. */
export function testsOfCheck(): string[] {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const patterns = String(scripts.check).match(/\S+\.test\.ts/g) ?? []
  return globSync(patterns, { cwd: root })
}

/** All others. */
export function testsOfRun(): string[] {
  const ofCheck = testsOfCheck()
  return everyTest()
    .filter((file) => !ofCheck.includes(file))
    .toSorted()
}

export function everyTest(): string[] {
  const pattern = '{server,sdk,cli,tests}/**/*.test.ts'
  return globSync(pattern, { cwd: root, exclude: (name) => name.includes('node_modules') })
}

interface Run extends Told {
  passed: boolean
}

/** Runs test files, those of each list in a process of their own, and shows their tests as they end. */
function runFiles(
  processes: string[][],
  { concurrency, flags, timeout }: { concurrency: number; flags: string[]; timeout?: number },
): Run {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'crier-outcomes-'))
  const report = path.join(folder, 'outcomes.ndjson')
  const programs = new Map<string, string[]>()
  for (const [index, files] of processes.entries()) {
    const [first = ''] = files
    // The runner sorts them by name.
    const place = path.join(folder, String(index).padStart(4, '0'))
    const program = path.join(place, `${path.relative(root, first).replaceAll('../', '')}.mjs`)
    mkdirSync(path.dirname(program), { recursive: true })
    writeFileSync(program, sharingSource(files, root))
    programs.set(program, files)
  }
  const run = spawnSync(
    process.execPath,
    [
      ...flags,
      `--test-concurrency=${concurrency}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=./tests/support/outcomes-reporter.ts',
      `--test-reporter-destination=${report}`,
      ...programs.keys(),
    ],
    // Within a test, Node would take the run for a part of that test and run nothing.
    { cwd: root, stdio: 'inherit', timeout, env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
  )
  try {
    const lines = readFileSync(report, 'utf8').split('\n').filter(Boolean)
    const told: Outcome[] = lines.map((line) => JSON.parse(line))
    return { ...ofEachFile(told, { programs, root }), passed: run.status === 0 }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Options {
  /** Where flaky tests are listed. */
  page: string
  today: string
  flags: string[]
  /** Folders whose files share processes, and how many files share one. */
  sharing?: Readonly<Record<string, number>>
}

/** Runs the files, then the red ones again alone. Returns whether the whole run passes. */
export function runTests(
  files: string[],
  { page, today, flags, sharing = sharingFolders }: Options,
): boolean {
  const paths = files.map((file) => path.resolve(root, file))
  const processes = sharedProcesses(paths, { root, sharing })
  const ofThem = `processes: ${processes.length}, ${processesAtOnce} at a time`
  console.log(`Running ${files.length} test files; ${ofThem}.`)
  const began = performance.now()
  const first = runFiles(processes, { concurrency: processesAtOnce, flags })
  const [ending] = first.notEnded
  if (ending) {
    const others = first.notEnded.map((file) => [file])
    console.log(`\nRunning ${others.length} files of processes that ended early, each in its own.`)
    const second = runFiles(others, { concurrency: processesAtOnce, flags })
    first.outcomes.push(...second.outcomes)
    // Which of them it was is not known.
    if (second.passed) first.outcomes.push({ ...wholeFile, file: ending, name: ending })
  }
  reportSlowest(first.outcomes)
  console.log(`All files took ${Math.round((performance.now() - began) / 1000)} s.`)
  const red = first.outcomes.filter(({ result }) => result === 'failed')
  const redFiles = [...new Set(red.map(({ file }) => file))]
  // A runner that fails without a red test was ended, or could not start.
  let passed = first.passed
  let redTwice: Outcome[] = []
  if (!first.passed && redFiles.length > mostFilesRunAgain) {
    console.log(`\n${redFiles.length} files have red tests. That is not chance: none is run again.`)
    redTwice = red
  } else if (!first.passed && redFiles.length > 0) {
    passed = true
    for (const file of redFiles) {
      console.log(`\nRunning ${path.relative(root, file)} once more, alone.`)
      const again = runFiles([[file]], { concurrency: 1, flags, timeout: longestRunAgain })
      passed &&= again.passed
      redTwice.push(...again.outcomes.filter(({ result }) => result === 'failed'))
    }
    const flaky = red.filter(
      ({ file, name }) =>
        !redTwice.some((test) => test.file === file && (test.name === name || isWholeFile(test))),
    )
    if (flaky.length > 0) reportFlaky(flaky, page, today)
  }
  const failures = deepest(redTwice)
  for (const { file, name } of failures) {
    console.log(`✖ ${path.relative(root, file)}: ${name}`)
  }
  const count = first.outcomes.filter(({ result }) => result !== 'skipped').length
  const failed = Math.max(failures.length, passed ? 0 : 1)
  console.log(`\n${Math.max(0, count - failed)} passed, ${failed} failed`)
  return passed
}

const wholeFile = { nesting: 0, milliseconds: 0, result: 'failed' } as const

/** A file that ends before its tests do is reported like a test that bears its path. */
function isWholeFile({ file, name }: Outcome): boolean {
  return path.resolve(root, name) === file
}

/** A test fails with each test inside it; only the innermost one says what is wrong. */
function deepest(tests: Outcome[]): Outcome[] {
  return tests.filter((test, index) => {
    // The runner reports a test after the tests inside it.
    const before = tests[index - 1]
    return !(before?.file === test.file && before.nesting > test.nesting)
  })
}

function reportFlaky(tests: Outcome[], page: string, today: string): void {
  const rows = deepest(tests).map(({ file, name }) => ({
    file: path.relative(root, file),
    name: name.replaceAll('|', '\\|').replaceAll(/\s+/g, ' '),
  }))
  const before = readFileSync(page, 'utf8').trimEnd()
  console.log('\nFlaky: red at first, green when run alone:')
  for (const { file, name } of rows) {
    const again = before.includes(`| ${file} | ${name} |`)
    const note = again ? ' (listed before: mend or remove it before new work)' : ''
    console.log(`  ${file}: ${name}${note}`)
  }
  const lines = rows.map(({ file, name }) => `| ${today} | ${file} | ${name} |`)
  writeFileSync(page, `${[before, ...lines].join('\n')}\n`)
}

function reportSlowest(outcomes: Outcome[]): void {
  const tests = outcomes.filter(({ nesting }) => nesting === 0)
  const byFile = Object.entries(Object.groupBy(tests, ({ file }) => file))
  list(
    'The slowest tests:',
    tests.map(({ file, name, milliseconds }) => [
      `${path.relative(root, file)}: ${name}`,
      milliseconds,
    ]),
  )
  list(
    'The slowest files:',
    byFile.map(([file, ofFile = []]) => [
      path.relative(root, file),
      ofFile.reduce((sum, { milliseconds }) => sum + milliseconds, 0),
    ]),
  )
}

function list(title: string, times: [string, number][]): void {
  console.log(`\n${title}`)
  for (const [name, milliseconds] of times
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, slowestListed)) {
    console.log(`${(milliseconds / 1000).toFixed(1).padStart(6)} s  ${name}`)
  }
}

if (import.meta.main) {
  const named = process.argv.slice(2)
  const files = named.length > 0 ? named : testsOfRun()
  const today = new Date().toISOString().slice(0, 10)
  process.exitCode = runTests(files, { page: flakyPage, today, flags: testFlags }) ? 0 : 1
}
