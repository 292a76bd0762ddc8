/** One clock was ahead when the backup was made, and is right again when people say no. */
import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { formatId, type Id } from 'crier-server/core/ids.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import { newDataDir } from '../crash/support/data-dir.ts'
import {
  type Installation,
  newBackupFolder,
  openInstallation,
  passphrase,
  runCrier,
} from './support/installation.ts'

const module = path.join(import.meta.dirname, 'support/clock-ahead.mjs')
const ahead = { NODE_OPTIONS: `--import=${module}`, CLOCK_AHEAD_MS: String(30 * 60_000) }
const subscribed = { email: { status: 'subscribed', source: 'a form' } }
const people = ['unsubscribed@example.com', 'erased@example.com', 'suppressed@example.com']

test('a restore applies every opt-out and erasure where the clock was ahead when the backup was made', async (t) => {
  const backups = await newBackupFolder()
  t.after(backups.remove)
  const env = { BACKUP_TO: backups.path, BACKUP_PASSPHRASE: passphrase }
  const target = await newDataDir()
  t.after(() => target.remove())
  const first = await openInstallation(env)
  let again: Installation | undefined
  try {
    const business = await first.testbed.newBusiness('scale')
    const grant = { businesses: [business] }
    const owner = await first.testbed.caller(grant)
    for (const email of people) await owner.get('contact.upsert', { email, consent: subscribed })
    await first.db.run(sql`update events set created_at = created_at + interval '1 year'`)
    const made = await first.crier(['backup'], ahead)
    assert.equal(made.code, 0, made.stderr)
    // The clock is right again, and people say no before the time that the backup bears.
    const unsubscribed = { email: { status: 'unsubscribed', source: 'by phone' } }
    await owner.get('contact.upsert', { email: people[0], consent: unsubscribed })
    const { id } = await first.db.one<{ id: Id<'contact'> }>(
      sql`select id from contacts where email = ${people[1]}`,
    )
    await owner.get('contact.erase', { contact_id: formatId('contact', id) })
    await owner.get('contact.suppress', { email: people[2] })
    await sleep(3_000)
    await first.killAll()

    const to = { ...env, DATA_DIR: target.path }
    const restored = await runCrier(['restore', backups.path], to)
    assert.equal(restored.code, 0, restored.stderr)
    assert.match(restored.stderr, /Taking 20\d\d-.*Z, verified /)
    assert.ok(JSON.parse(restored.stdout).opt_outs_applied >= 3, restored.stdout)

    again = await openInstallation(env, target)
    const started = await again.crier(['sending', 'start'])
    assert.equal(started.code, 0, started.stderr)
    assert.equal(JSON.parse(started.stdout).opt_outs_applied, 0)
    const contacts = await again.db.all<{ email: string; consent: string }>(
      sql`select email, email_consent as consent from contacts order by email`,
    )
    assert.deepEqual(contacts, [
      { email: people[2], consent: 'subscribed' },
      { email: people[0], consent: 'unsubscribed' },
    ])
    const reader = await again.testbed.caller(grant)
    for (const to of people) {
      const mail = { to, subject: 'Hello', text: 'Hello', kind: 'marketing' }
      assert.equal((await reader.call('email.send', mail)).kind, 'refusal', to)
    }
  } finally {
    await again?.close()
    await first.close().catch(() => {})
  }
})
