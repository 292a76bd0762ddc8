import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { test } from 'node:test'
import { serve } from './main.ts'

const start = (env: Record<string, string>) =>
  serve({ DATA_DIR: '/dev/null/none', LOG_LEVEL: 'silent', ...env }, () => {})

test('a public HOST without a relay is refused, and the error says which settings to change', async () => {
  for (const HOST of ['0.0.0.0', '::', '192.0.2.7']) {
    await assert.rejects(start({ HOST }), ({ message }: Error) => {
      assert.ok(message.startsWith(`HOST is ${HOST}, `), message)
      assert.doesNotMatch(message, /\n/)
      for (const way of ['SMTP_URL', 'HOST=127.0.0.1', 'ALLOW_INBOX=yes']) {
        assert.ok(message.includes(way), way)
      }
      return true
    })
  }
  await assert.rejects(start({ BASE_URL: 'https://crier.example' }), /is public .* SMTP_URL/)
})

test('a public HOST with a relay or with ALLOW_INBOX passes the check, and the start goes on to DATA_DIR', async () => {
  for (const env of [{ SMTP_URL: 'smtp://127.0.0.1:2525' }, { ALLOW_INBOX: 'yes' }]) {
    await assert.rejects(start({ HOST: '0.0.0.0', ...env }), /DATA_DIR/)
  }
})

test('a port in use is reported before a data folder or a database is made', async (t) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  t.after(() => other.close())
  const { port } = other.address() as AddressInfo
  await assert.rejects(start({ PORT: String(port) }), { code: 'EADDRINUSE', port })
  await assert.rejects(start({ PORT: String(port), ROLE: 'worker' }), /DATA_DIR/)
})

test('nodes of separate roles on a shared database must set STORAGE_URL', async () => {
  const apart = {
    ROLE: 'worker',
    DATABASE_URL: 'postgres://crier:x@db.example/crier',
    CRIER_SECRET: 'x'.repeat(32),
  }
  await assert.rejects(start(apart), ({ name, message }: Error) => {
    assert.match(message, /^STORAGE_URL is required where api and worker run apart/)
    assert.match(message, /s3:\/\/bucket.*file:\/\/\/folder/)
    return name === 'Error'
  })
  // They get as far as opening the database, which does not exist.
  const shared = { ...apart, STORAGE_URL: 'file:///mnt/crier' }
  for (const env of [shared, { ...apart, ROLE: 'all', PORT: '0' }]) {
    await assert.rejects(start(env), /DATABASE_URL|DATA_DIR/)
  }
})
