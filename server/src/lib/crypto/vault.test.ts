import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { createVault, installationSecret, randomToken, sameBytes, sha256 } from './vault.ts'

const vault = createVault('a secret of at least 32 characters')
const plain = Buffer.from('-----BEGIN PRIVATE KEY-----')
const folders: string[] = []
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true })
})

function folder(): string {
  const made = mkdtempSync(path.join(tmpdir(), 'vault-'))
  folders.push(made)
  return made
}

test('what is sealed opens again, and cannot be read meanwhile', () => {
  const sealed = vault.seal('signing_keys/k1', plain)
  assert.ok(!sealed.includes(plain.subarray(0, 8)))
  assert.deepEqual(vault.open('signing_keys/k1', sealed), plain)
  assert.deepEqual(vault.open('x', vault.seal('x', Buffer.alloc(0))), Buffer.alloc(0))
})

test('the same thing sealed twice looks different', () => {
  assert.notDeepEqual(vault.seal('k', plain), vault.seal('k', plain))
})

test('a value moved to another row does not open', () => {
  const sealed = vault.seal('signing_keys/k1', plain)
  assert.throws(() => vault.open('signing_keys/k2', sealed))
  assert.throws(() => vault.open('webhook_secrets/k1', sealed))
})

test('a value with any bit changed does not open', () => {
  const sealed = vault.seal('k', plain)
  for (let i = 0; i < sealed.length; i++) {
    const tampered = Buffer.from(sealed)
    tampered[i] = (tampered[i] ?? 0) ^ 1
    assert.throws(() => vault.open('k', tampered), `byte ${i}`)
  }
})

test('a value cut short does not open, however short', () => {
  const sealed = vault.seal('k', plain)
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => vault.open('k', sealed.subarray(0, length)), `${length} bytes`)
  }
})

test('another installation opens nothing and recognises nothing', () => {
  const other = createVault('another secret of 32 characters!!')
  assert.throws(() => other.open('k', vault.seal('k', plain)))
  assert.notDeepEqual(other.hmac('link', 'id'), vault.hmac('link', 'id'))
})

test('an HMAC is the same for the same thing, and differs by purpose', () => {
  assert.deepEqual(vault.hmac('link', 'id'), vault.hmac('link', Buffer.from('id')))
  assert.notDeepEqual(vault.hmac('link', 'id'), vault.hmac('code', 'id'))
  assert.equal(vault.hmac('link', 'id').length, 32)
})

test('the installation has one secret, readable by its owner alone', () => {
  const dir = path.join(folder(), 'data')
  const secret = installationSecret(dir)
  assert.ok(secret.length >= 43)
  assert.equal(installationSecret(dir), secret)
  assert.equal(statSync(path.join(dir, 'secret')).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(dir), ['secret'], 'no drafts stay')
})

test('first starts at the same time agree on one secret', async () => {
  const dir = folder()
  const code = `
    const { installationSecret } = await import(process.argv[1])
    process.stdout.write(installationSecret(process.argv[2]))`
  const module = path.join(import.meta.dirname, 'vault.ts')
  const secrets = await Promise.all(
    Array.from({ length: 4 }, async () => {
      const child = spawn(process.execPath, ['--input-type=module', '-e', code, module, dir], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const text: string[] = []
      child.stdout.on('data', (data) => text.push(String(data)))
      await once(child, 'close')
      return text.join('')
    }),
  )
  assert.equal(new Set(secrets).size, 1)
  assert.ok((secrets[0]?.length ?? 0) >= 43)
})

test('a folder that cannot be written is an error, not a new secret each time', (context) => {
  if (process.getuid?.() === 0) return context.skip('root may write anywhere')
  const dir = folder()
  chmodSync(dir, 0o500)
  assert.throws(() => installationSecret(dir), { code: 'EACCES' })
})

test('tokens are 43 characters of base64url, and never the same', () => {
  assert.match(randomToken(), /^[A-Za-z0-9_-]{43}$/)
  assert.notEqual(randomToken(), randomToken())
})

test('bytes are compared whole', () => {
  assert.ok(sameBytes(sha256('a'), sha256(Buffer.from('a'))))
  assert.ok(!sameBytes(sha256('a'), sha256('b')))
  assert.ok(!sameBytes(sha256('a'), sha256('a').subarray(1)))
})
