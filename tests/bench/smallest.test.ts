/**
 * Each bench runs and ends, with the smallest sizes. Its figures then mean nothing. `npm test` runs those
 * of what is done most; BENCHES=all, as `npm run soak -- --only benches` sets it, runs every one.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { withoutSmtpSink } from '../support/mail/smtp-sink.ts'
import { withoutBrowser } from '../support/processes/chromium.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'
import { withoutSmsc } from '../support/sms/smsc.ts'

const root = path.join(import.meta.dirname, '../..')
const flags = ['--conditions=crier-source', '--import=./tests/support/compile-cache.mjs']
/** Many times what they take on a quiet machine, and less than the runner gives a test. */
const deadlineMs = 280_000

const databaseClients = missingPrograms('/usr/bin/psql', '/usr/bin/pgbench')

/** Some run in one process, since it takes a while to start. */
const groups: { benches: string[]; without?: string | false | undefined; seldom?: boolean }[] = [
  { benches: ['start', 'business-list', 'refresh', 'migrations'] },
  { benches: ['closing'], seldom: true },
  { benches: ['memory', 'segments', 'search'], seldom: true },
  { benches: ['mail-build', 'send-batch', 'streams'], seldom: true },
  { benches: ['fairness'], seldom: true },
  { benches: ['webhooks', 'apart'] },
  { benches: ['contact-upsert', 'form-submit'], without: databaseClients },
  {
    benches: ['contact-import', 'contact-track', 'imports'],
    without: databaseClients,
    seldom: true,
  },
  { benches: ['sequences', 'year'], without: withoutSmtpSink() },
  { benches: ['email-send', 'campaign'], without: withoutSmtpSink() },
  { benches: ['sms-smpp'], without: withoutSmsc(), seldom: true },
  { benches: ['app'], without: withoutBrowser, seldom: true },
]

async function runSmallest(benches: readonly string[]) {
  const child = spawn(
    process.execPath,
    [...flags, 'bench/run.ts', '--smallest', ...benches],
    // A group of its own, so that a run that is late ends with its service and its database.
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
  )
  const late = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGTERM'), deadlineMs)
  const [out, faults, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  clearTimeout(late)
  return { out, faults, code: code as number | null }
}

const isThorough = process.env['BENCHES'] === 'all'

for (const { benches, without, seldom = false } of groups) {
  if (seldom && !isThorough) continue
  test(`runs and ends: ${benches.join(', ')}`, { skip: without ?? false }, async () => {
    const { out, faults, code } = await runSmallest(benches)
    assert.equal(code, 0, faults.slice(-8_000))
    assert.match(out, /With --smallest the figures mean nothing/)
    assert.equal(out.match(/^\| figure /gm)?.length, benches.length, out)
    assert.doesNotMatch(out, /MISSED|at least|\bmet\b/)
  })
}

test('no bench is left out', async () => {
  const { code, faults } = await runSmallest(['nothing'])
  assert.equal(code, 1)
  const all = /There is no bench nothing\. Known: (.*)\./.exec(faults)?.[1]?.split(', ')
  assert.deepEqual(groups.flatMap(({ benches }) => benches).toSorted(), all?.toSorted())
})
