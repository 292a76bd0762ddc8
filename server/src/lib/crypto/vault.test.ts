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

test('a sealed value can be opened again, and cannot be read while sealed', () => {
  const sealed = vault.seal('signing_keys/k1', plain)
  assert.ok(!sealed.includes(plain.subarray(0, 8)))
  assert.deepEqual(vault.open('signing_keys/k1', sealed), plain)
  assert.deepEqual(vault.open('x', vault.seal('x', Buffer.alloc(0))), Buffer.alloc(0))
})

test('the same value sealed twice looks different', () => {
  assert.notDeepEqual(vault.seal('k', plain), vault.seal('k', plain))
})

test('a sealed value moved to another row cannot be opened', () => {
  const sealed = vault.seal('signing_keys/k1', plain)
  assert.throws(() => vault.open('signing_keys/k2', sealed))
  assert.throws(() => vault.open('webhook_secrets/k1', sealed))
})

test('a sealed value with any byte changed cannot be opened', () => {
  const sealed = vault.seal('k', plain)
  for (let i = 0; i < sealed.length; i++) {
    const tampered = Buffer.from(sealed)
    tampered[i] = (tampered[i] ?? 0) ^ 1
    assert.throws(() => vault.open('k', tampered), `byte ${i}`)
  }
})

test('a truncated sealed value of any length cannot be opened', () => {
  const sealed = vault.seal('k', plain)
  for (let length = 0; length < sealed.length; length++) {
    assert.throws(() => vault.open('k', sealed.subarray(0, length)), `${length} bytes`)
  }
})

test('the vault of another installation opens no value and makes other HMACs', () => {
  const other = createVault('another secret of 32 characters!!')
  assert.throws(() => other.open('k', vault.seal('k', plain)))
  assert.notDeepEqual(other.hmac('link', 'id'), vault.hmac('link', 'id'))
})

test('an HMAC is the same for the same input, and differs by purpose', () => {
  assert.deepEqual(vault.hmac('link', 'id'), vault.hmac('link', Buffer.from('id')))
  assert.notDeepEqual(vault.hmac('link', 'id'), vault.hmac('code', 'id'))
  assert.equal(vault.hmac('link', 'id').length, 32)
})

test('the installation has one secret file, readable by its owner only', () => {
  const dir = path.join(folder(), 'data')
  const secret = installationSecret(dir)
  assert.ok(secret.length >= 43)
  assert.equal(installationSecret(dir), secret)
  assert.equal(statSync(path.join(dir, 'secret')).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(dir), ['secret'], 'no drafts stay')
})

test('concurrent first starts agree on one secret', async () => {
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

test('a folder that cannot be written is an error, not a new secret at each start', (context) => {
  if (process.getuid?.() === 0) return context.skip('root may write anywhere')
  const dir = folder()
  chmodSync(dir, 0o500)
  assert.throws(() => installationSecret(dir), { code: 'EACCES' })
})

test('a random token is 43 characters of base64url, and unique', () => {
  assert.match(randomToken(), /^[A-Za-z0-9_-]{43}$/)
  assert.notEqual(randomToken(), randomToken())
})

test('sameBytes compares the whole contents and lengths', () => {
  assert.ok(sameBytes(sha256('a'), sha256(Buffer.from('a'))))
  assert.ok(!sameBytes(sha256('a'), sha256('b')))
  assert.ok(!sameBytes(sha256('a'), sha256('a').subarray(1)))
})
