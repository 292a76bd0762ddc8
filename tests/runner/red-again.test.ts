/** What `npm test` does about red tests, shown on test files made for it. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { everyTest, testsOfCheck, testsOfRun } from '../../scripts/test.ts'
import { alone, ofEachFile } from '../../scripts/test-processes.ts'

const root = path.join(import.meta.dirname, '../..')
const script = path.join(root, 'scripts/test.ts')
let folder = ''
let page = ''

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'crier-runner-'))
  page = path.join(folder, 'flaky.md')
  writeFileSync(page, '| date | file | test |\n| --- | --- | --- |\n')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('a test that is green when run again alone is listed as flaky, and the run passes', () => {
  const { status, stdout } = run({ steady: 'green', wavering: 'green the second time' })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /Running .*wavering\.test\.mjs once more, alone/)
  assert.doesNotMatch(stdout, /Running .*steady\.test\.mjs once more/)
  assert.match(stdout, /Flaky: red at first[^\n]*\n[^\n]*wavering\.test\.mjs: wavering\n/)
  assert.match(stdout, /\n3 passed, 0 failed\n$/)
  assert.match(
    readFileSync(page, 'utf8'),
    /^\| 2026-11-27 \| .*wavering\.test\.mjs \| wavering \|$/m,
  )
})

test('a test that is red twice fails the run and is not listed as flaky', () => {
  const { status, stdout } = run({ steady: 'green', broken: 'red' })
  assert.equal(status, 1, stdout)
  assert.match(stdout, /✖ .*broken\.test\.mjs: broken\n/)
  assert.match(stdout, /\n1 passed, 1 failed\n$/)
  assert.doesNotMatch(readFileSync(page, 'utf8'), /broken/)
})

test('a file that ends before its tests do is run again too', () => {
  const { status, stdout } = run({ steady: 'green', ending: 'ends its process' })
  assert.equal(status, 1, stdout)
  assert.match(stdout, /Running .*ending\.test\.mjs once more, alone/)
  assert.match(stdout, /\d+ passed, [1-9]\d* failed\n$/)
})

test('the file that was run is run again, and not one that it imports tests from', () => {
  const { status, stdout } = run({ outer: 'red in an imported file' })
  assert.equal(status, 1, stdout)
  assert.match(stdout, /Running .*outer\.test\.mjs once more, alone/)
  assert.doesNotMatch(stdout, /Running .*steps\.mjs/)
  assert.match(stdout, /✖ .*outer\.test\.mjs: step\n/)
})

test('of files that share a process, only the red one is run again, alone', () => {
  const tests = { a: 'green', wavering: 'green the second time', z: 'green' } as const
  const { status, stdout } = run(tests, { isShared: true })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^Running 3 test files; processes: 1,/)
  assert.equal(stdout.match(/once more, alone/g)?.length, 1)
  assert.match(stdout, /Running .*wavering\.test\.mjs once more, alone/)
  assert.match(stdout, /Flaky: red at first[^\n]*\n[^\n]*wavering\.test\.mjs: wavering\n/)
  assert.match(stdout, /s {2}[^\n]*z\.test\.mjs: z\n/)
  assert.match(stdout, /\n4 passed, 0 failed\n$/)
})

test('files beside one that ends their process run too', () => {
  const tests = { a: 'green', ending: 'ends its process', y: 'green', z: 'red' } as const
  const { status, stdout } = run(tests, { isShared: true })
  assert.equal(status, 1, stdout)
  assert.match(stdout, /Running 4 files of processes that ended early/)
  assert.match(stdout, /Running .*ending\.test\.mjs once more, alone/)
  assert.match(stdout, /s {2}[^\n]*y\.test\.mjs: y\n/)
  assert.match(stdout, /✖ .*ending\.test\.mjs: /)
  assert.match(stdout, /✖ .*z\.test\.mjs: z\n/)
  assert.doesNotMatch(stdout, /Running .*[ay]\.test\.mjs once more/)
})

test('files that a shared process left out are run, though it ended in order', () => {
  const [program, ...files] = ['p.mjs', 'a.test.ts', 'waiting.test.ts', 'z.test.ts']
  const told = (name: string, nesting: number, result: 'passed' | 'failed') =>
    ({ file: program, name, nesting, milliseconds: 1, result }) as const
  // A test that waits for what nothing will do ends the process once the event loop is empty.
  const outcomes = [
    told('a', 1, 'passed'),
    told('a.test.ts', 0, 'passed'),
    told('waiting', 1, 'failed'),
    told('waiting.test.ts', 0, 'failed'),
  ]
  const programs = new Map([[path.join(root, 'p.mjs'), files.map((file) => path.join(root, file))]])
  const { notEnded } = ofEachFile(outcomes, { programs, root })
  assert.deepEqual(notEnded, [path.join(root, 'z.test.ts')])
})

test('a shared process that is ended after its last file fails the run', () => {
  const { status, stdout } = run({ a: 'green', late: 'ends its process late' }, { isShared: true })
  assert.match(stdout, /Running .*late\.test\.mjs once more, alone/)
  assert.equal(status, 1, stdout)
})

test('every file with a process of its own is there', () => {
  for (const file of Object.keys(alone)) assert.ok(existsSync(path.join(root, file)), file)
})

test('all files but those of the check are run', () => {
  const files = testsOfCheck()
  assert.ok(files.includes('tests/architecture/structure.test.ts'), files.join())
  for (const file of files) assert.match(file, /^tests\/(architecture|patterns)\/[^/]+$/)
  assert.deepEqual([...files, ...testsOfRun()].toSorted(), everyTest().toSorted())
})

test('a flaky test that was listed before is called out', () => {
  const file = path.relative(
    path.join(import.meta.dirname, '../..'),
    path.join(folder, 'a.test.mjs'),
  )
  writeFileSync(page, `| date | file | test |\n| --- | --- | --- |\n| 2026-01-01 | ${file} | a |\n`)
  const { status, stdout } = run({ a: 'green the second time' })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /listed before: mend or remove it/)
})

test('when many files are red, none is run again', () => {
  const names = Array.from({ length: 21 }, (_, index) => [`red${index}`, 'red'] as const)
  const { status, stdout } = run(Object.fromEntries(names))
  assert.equal(status, 1)
  assert.match(stdout, /21 files have red tests/)
  assert.doesNotMatch(stdout, /once more/)
})

test('the slowest tests are listed with their files', () => {
  const { stdout } = run({ steady: 'green' })
  assert.match(stdout, /The slowest tests:\n +\d+\.\d s {2}.*steady\.test\.mjs: steady\n/)
})

type Behaviour =
  | 'green'
  | 'red'
  | 'green the second time'
  | 'ends its process'
  | 'ends its process late'
  | 'red in an imported file'

/** Runs one file a test, each with two more lines that a nested test adds where it is red. */
function run(
  tests: Record<string, Behaviour>,
  { isShared = false } = {},
): { status: number | null; stdout: string } {
  const files = Object.entries(tests).map(([name, behaviour]) => {
    const file = path.join(folder, `${name}.test.mjs`)
    writeFileSync(file, source(name, behaviour))
    return file
  })
  const program = `
    import { runTests } from ${JSON.stringify(script)}
    const options = {
      page: ${JSON.stringify(page)}, today: '2026-11-27', flags: ['--test'],
      sharing: ${JSON.stringify(isShared ? { [path.relative(root, folder)]: 16 } : {})},
    }
    process.exitCode = runTests(${JSON.stringify(files)}, options) ? 0 : 1
  `
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { encoding: 'utf8', env: { ...process.env, NODE_TEST_CONTEXT: undefined } },
  )
  return { status, stdout: `${stdout}${stderr}` }
}

function source(name: string, behaviour: Behaviour): string {
  if (behaviour === 'red in an imported file') {
    const steps = `export const run = (t) => t.test('step', () => { throw new Error() })`
    writeFileSync(path.join(folder, 'steps.mjs'), steps)
    return `import test from 'node:test'
      import { run } from './steps.mjs'
      test('${name}', (t) => run(t))`
  }
  const mark = JSON.stringify(path.join(folder, `${name}.ran`))
  const head = `import assert from 'node:assert'
    import fs from 'node:fs'
    import test from 'node:test'
    const ranBefore = fs.existsSync(${mark})
    fs.writeFileSync(${mark}, '')`
  const bodies = {
    green: '',
    red: 'assert.fail()',
    'green the second time': 'assert.ok(ranBefore)',
    'ends its process': 'process.exit(3)',
    'ends its process late': 'setTimeout(() => { throw new Error() }, 500)',
  }
  return `${head}
    test('${name}', () => { ${bodies[behaviour]} })
    ${behaviour === 'green the second time' ? `test('beside', () => {})` : ''}`
}
