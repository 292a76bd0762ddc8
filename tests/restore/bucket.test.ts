/** Backups, the archive and the ledger in a bucket, as docs/operate/backup.md describes them. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { homeName } from 'crier-server/lib/postgres/home.ts'
import { newDataDir } from '../crash/support/data-dir.ts'
import { bucketServer } from '../support/network/bucket-server.ts'
import { until } from '../support/time/eventually.ts'
import {
  type Installation,
  openInstallation,
  passphrase,
  runCrier,
} from './support/installation.ts'

test('a lost machine is restored from a bucket alone, which holds backup, archive, uploads and opt-outs', async (t) => {
  const bucket = await bucketServer()
  t.after(() => bucket.close())
  const place = `s3://${bucket.name}/shop`
  const access = {
    AWS_ACCESS_KEY_ID: bucket.credentials.keyId,
    AWS_SECRET_ACCESS_KEY: bucket.credentials.secret,
    AWS_REGION: bucket.region,
    AWS_ENDPOINT_URL_S3: bucket.endpoint,
  }
  const env = { ...access, BACKUP_TO: place, BACKUP_PASSPHRASE: passphrase }
  const first = await openInstallation(env)
  const target = await newDataDir()
  t.after(() => target.remove())
  let again: Installation | undefined
  const keys = () => [...bucket.objects.keys()]
  try {
    const business = await first.testbed.newBusiness('scale')
    const owner = await first.testbed.caller({ businesses: [business] })
    await mkdir(path.join(first.dataDir.path, 'files'), { recursive: true })
    await writeFile(path.join(first.dataDir.path, 'files', 'an-upload'), 'email\nana@example.com\n')

    const complete = () => keys().filter((key) => key.endsWith('/crier.json'))
    await until(async () => complete().length === 1, 'the job makes the first backup', 150_000)
    const made = await first.crier(['backup'])
    assert.equal(made.code, 0, made.stderr)
    const { backup } = JSON.parse(made.stdout)
    assert.ok(complete().includes(`shop/backups/${backup}/crier.json`), keys().join(' '))
    const verified = await first.crier(['backups', 'verify', backup])
    assert.equal(verified.code, 0, verified.stderr)

    // A bucket that refuses a part leaves nothing that looks like a backup.
    const before = keys().filter((key) => key.startsWith('shop/backups/'))
    bucket.refuse = (asked) =>
      asked.startsWith('PUT shop/backups/') && asked.includes('base.tar')
        ? { status: 403, code: 'AccessDenied' }
        : undefined
    const refused = await first.crier(['backup'])
    assert.notEqual(refused.code, 0)
    assert.match(refused.stderr, /bucket crier-files at .* refuses the key \(AccessDenied\)/)
    bucket.refuse = undefined
    const after = keys().filter((key) => key.startsWith('shop/backups/'))
    assert.deepEqual(after, before)

    const contacts = Array.from({ length: 500 }, (_, n) => ({ email: `late-${n}@example.com` }))
    await owner.get('contact.import', { contacts })
    await first.archived()
    const spool = path.join(homeName(first.dataDir.path), 'wal-to-send')
    const waiting = async () => {
      const found = await readdir(spool, { recursive: true, withFileTypes: true })
      return found.filter((entry) => entry.isFile()).length
    }
    await until(async () => (await waiting()) === 0, 'the archive is sent')
    // Only the ledger has this one.
    await owner.get('contact.suppress', { email: 'leaver@example.com' })
    await until(
      async () => keys().some((key) => key.startsWith('shop/ledger/')),
      'the ledger is written',
    )
    await first.killAll()
    await first.dataDir.remove()

    const to = { ...access, BACKUP_PASSPHRASE: passphrase, DATA_DIR: target.path }
    // An archive that cannot be read must not look like one that ends early.
    bucket.refuse = (asked) =>
      asked.startsWith('GET shop/wal/') && !asked.includes('history')
        ? { status: 403, code: 'AccessDenied' }
        : undefined
    const cut = await runCrier(['restore', place], to)
    assert.notEqual(cut.code, 0)
    assert.match(cut.stderr, /refuses the key \(AccessDenied\)/)
    assert.ok(!existsSync(path.join(homeName(target.path), 'data')))
    bucket.refuse = undefined

    const restored = await runCrier(['restore', place], to)
    assert.equal(restored.code, 0, restored.stderr)
    assert.ok(JSON.parse(restored.stdout).opt_outs_applied >= 1)
    assert.deepEqual(await readdir(path.join(target.path, 'files')), ['an-upload'])

    again = await openInstallation(env, target)
    const { n } = await again.db.one<{ n: number }>(sql`
      select count(*)::int as n from contacts where email like 'late-%'
    `)
    assert.equal(n, contacts.length)
    const asked = await again.testbed.caller({ businesses: [business] })
    const mail = { to: 'leaver@example.com', subject: 'Hello', text: 'Hello', kind: 'marketing' }
    assert.equal((await asked.call('email.send', mail)).kind, 'refusal')
  } finally {
    await again?.close()
    await first.close().catch(() => {})
  }
})
