/** The test of the filters against their plain evaluator, at full length. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import manifest from '../package.json' with { type: 'json' }

const filters = 20_000
const testFile = 'server/src/contacts/filters/compile.test.ts'
const root = path.join(import.meta.dirname, '..')

export function filterSoak(): string {
  const began = performance.now()
  // The flags of `npm run test:only` without its patterns of files.
  const flags = manifest.scripts['test:only'].split(' ').slice(1, -1)
  const run = spawnSync(process.execPath, [...flags, '--test-reporter=tap', testFile], {
    cwd: root,
    env: { ...process.env, FILTERS: String(filters) },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (run.status !== 0) throw new Error(run.stdout)
  const told = run.stdout.split('\n').find((line) => line.includes('filters told people apart'))
  if (!told) throw new Error(`${testFile} did not report how many filters it tried.`)
  const seconds = Math.round((performance.now() - began) / 1000)
  return `## Filters against a plain evaluator

${filters.toLocaleString('en')} random filters over random people, their consents, events and dates in ${seconds} s: the compiled filter and the plain evaluator found the same people each time (${told.replace(/^[# ]*/, '')}).
`
}
