import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { openSecret, sealSecret, secretName } from './passphrase.ts'

test('only the right passphrase opens the secret; a wrong or missing one or a changed file explains what to do', async (t) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'crier-passphrase-'))
  t.after(() => rmSync(folder, { recursive: true }))
  await sealSecret(folder, 'the secret itself', 'a long sentence é')
  const file = path.join(folder, secretName)
  const text = readFileSync(file, 'utf8')
  assert.ok(!text.includes('the secret itself'))
  assert.equal(
    await openSecret(readFileSync(file, 'utf8'), 'a long sentence e\u0301'),
    'the secret itself',
  )
  await assert.rejects(openSecret(text, undefined), /Set BACKUP_PASSPHRASE to it, or CRIER_SECRET/)
  const wrong = { name: 'StartError', message: /does not open the secret.*CRIER_SECRET/ }
  await assert.rejects(openSecret(readFileSync(file, 'utf8'), 'a long sentence'), wrong)
  const { sealed, ...others } = JSON.parse(text)
  const bytes = Buffer.from(sealed, 'base64')
  bytes[0] = (bytes[0] ?? 0) ^ 1
  writeFileSync(file, JSON.stringify({ ...others, sealed: bytes.toString('base64') }))
  await assert.rejects(openSecret(readFileSync(file, 'utf8'), 'a long sentence é'), wrong)
})
