/** Tests `crier restore --at` as docs/operate/backup.md describes it. */
import assert from 'node:assert/strict'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'crier-server/lib/db/db.ts'
import { newDataDir } from '../crash/support/data-dir.ts'
import {
  type Installation,
  newBackupFolder,
  openInstallation,
  passphrase,
  runCrier,
} from './support/installation.ts'

const people = 10_000
const perCall = 5_000

test('a restore to a moment brings back ten thousand deleted contacts and respects later opt-outs', async (t) => {
  const backups = await newBackupFolder()
  t.after(backups.remove)
  const env = { BACKUP_TO: backups.path, BACKUP_PASSPHRASE: passphrase }
  const first = await openInstallation(env)
  const target = await newDataDir()
  t.after(() => target.remove())
  let again: Installation | undefined
  try {
    const business = await first.testbed.newBusiness('scale')
    const owner = await first.testbed.caller({ businesses: [business] })
    const upload = path.join(first.dataDir.path, 'files', 'an-upload')
    await mkdir(path.dirname(upload), { recursive: true })
    await writeFile(upload, 'email\nana@example.com\n')
    assert.equal((await first.crier(['backup'])).code, 0)

    // Added after the backup, so that only the archive contains them.
    for (let at = 0; at < people; at += perCall) {
      const contacts = Array.from({ length: perCall }, (_, n) => ({
        email: `person-${at + n}@example.com`,
      }))
      await owner.get('contact.import', { contacts })
    }
    const consent = { email: { status: 'subscribed', source: 'a test' } }
    await owner.get('contact.upsert', { email: 'leaver@example.com', consent })
    await sleep(1_100)
    const before = new Date()
    await sleep(1_100)
    await first.db.run(sql`delete from contacts where email like 'person-%'`)
    await owner.get('contact.suppress', { email: 'leaver@example.com' })
    await first.archived()
    await sleep(2_500)
    await first.db.end()
    await first.service.stop()

    const to = { ...env, DATA_DIR: target.path }
    const restored = await runCrier(['restore', backups.path, '--at', before.toISOString()], to)
    assert.equal(restored.code, 0, restored.stderr)
    const told = JSON.parse(restored.stdout)
    const point = Date.parse(told.restored_to)
    assert.ok(point <= before.getTime() && point > before.getTime() - 60_000, told.restored_to)
    assert.ok(told.opt_outs_applied >= 1)
    assert.equal(
      await readFile(path.join(target.path, 'files', 'an-upload'), 'utf8'),
      'email\nana@example.com\n',
    )

    again = await openInstallation(env, target)
    const { n } = await again.db.one<{ n: number }>(sql`
      select count(*)::int as n from contacts where email like 'person-%'
    `)
    assert.equal(n, people)
    assert.equal((await again.crier(['sending', 'start'])).code, 0)
    const asked = await again.testbed.caller({ businesses: [business] })
    const mail = { to: 'leaver@example.com', subject: 'Hello', text: 'Hello', kind: 'marketing' }
    assert.equal((await asked.call('email.send', mail)).kind, 'refusal')
  } finally {
    await again?.close()
    await first.close().catch(() => {})
  }
})
