/** The attack on a form in full: 10,000 submissions over 500 strangers' addresses. */
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import manifest from '../package.json' with { type: 'json' }

const submissions = 10_000
const testFile = 'server/src/forms/guard/guard.test.ts'
const root = path.join(import.meta.dirname, '..')

export function formSoak(): string {
  const began = performance.now()
  // The flags of `npm run test:only` without its patterns of files.
  const flags = manifest.scripts['test:only'].split(' ').slice(1, -1)
  const run = spawnSync(
    process.execPath,
    [...flags, '--test-timeout=1200000', '--test-reporter=tap', testFile],
    {
      cwd: root,
      env: { ...process.env, FORM_SUBMISSIONS: String(submissions) },
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  if (run.status !== 0) throw new Error(run.stdout)
  const told = run.stdout.split('\n').find((line) => line.includes('submissions over'))
  if (!told) throw new Error(`${testFile} did not report how many mails were sent.`)
  const seconds = Math.round((performance.now() - began) / 1000)
  return `## A form used against strangers

${told.replace(/^[# ]*/, '')} in ${seconds} s: 100 before the form is guarded at most, then 20 an hour; nobody was written to twice, and the form turned back a day after the attack.
`
}
