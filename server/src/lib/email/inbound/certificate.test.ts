import assert from 'node:assert/strict'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { days, later } from '../../time/clock.ts'
import { serverCertificate } from './certificate.ts'

let dataDir: string
before(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'crier-certificate-'))
})
after(() => rm(dataDir, { recursive: true }))

const now = new Date('2026-11-20T10:00:00Z')
const certificate = (changes: { domain?: string; now?: Date } = {}) =>
  serverCertificate({
    files: undefined,
    dataDir,
    fileName: 'bounce-tls.pem',
    domain: 'bounce.test',
    now,
    ...changes,
  })

test('one is made once, for its owner alone, and made anew for another name or before it ends', async () => {
  const first = await certificate()
  assert.deepEqual(await certificate(), first)
  assert.deepEqual(await certificate({ now: later(now, days(3_000)) }), first)
  const file = path.join(dataDir, 'bounce-tls.pem')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.notDeepEqual(await certificate({ now: later(now, days(3_640)) }), first)
  const other = await certificate({ domain: 'other.test' })
  assert.notDeepEqual(other, await certificate())
  await writeFile(file, 'no certificate')
  const again = await certificate()
  assert.match(again.cert, /^-----BEGIN CERTIFICATE-----/)
  assert.deepEqual(await readdir(dataDir), ['bounce-tls.pem'])
})

test("the operator's own goes before, and one that is not there stops the start", async () => {
  const own = await certificate()
  const files = { cert: path.join(dataDir, 'own.crt'), key: path.join(dataDir, 'own.key') }
  await writeFile(files.cert, own.cert)
  await writeFile(files.key, own.key)
  const given = { dataDir, fileName: 'bounce-tls.pem', domain: 'x.test', now }
  assert.deepEqual(await serverCertificate({ ...given, files }), own)
  const missing = { ...files, key: path.join(dataDir, 'none.key') }
  await assert.rejects(serverCertificate({ ...given, files: missing }), /ENOENT/)
})
