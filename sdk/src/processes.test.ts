import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { type Child, runChild } from '../tests/child.ts'
import { type FakeServer, fakeServer } from '../tests/fake-server.ts'
import { browser } from '../tests/person.ts'
import { createClient } from './node.ts'
import { sealedFile } from './tokens/sealed-file.ts'
import type { Store } from './tokens/store.ts'

const script = new URL('../tests/call-child.ts', import.meta.url)
const exchange = 'POST /functions/v1/mcp-oauth'
let server: FakeServer
let folder: string
let store: Store
let children: Child[]

beforeEach(async () => {
  server = await fakeServer()
  // Tokens live shorter than the refresh lead of 60 seconds, so every process wants to refresh.
  server.oauth.lifetime = 30
  folder = await mkdtemp(path.join(os.tmpdir(), 'crier-race-'))
  store = sealedFile({ file: path.join(folder, 'connection') })
  await createClient({ url: server.url, store }).signIn({ open: browser().open })
  server.oauth.lifetime = 3600
  children = []
})
afterEach(async () => {
  for (const child of children) child.process.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  await server.close()
  await rm(folder, { recursive: true })
})

async function start(count: number): Promise<Child[]> {
  const started = Array.from({ length: count }, () =>
    runChild(script, [server.url, path.join(folder, 'connection')]),
  )
  children.push(...started)
  await Promise.all(started.map((child) => child.says(/^ready$/m)))
  return started
}

const go = (child: Child): void => void child.process.stdin?.write('go\n')

test('of six processes with a token about to expire exactly one refreshes it', async () => {
  const racing = await start(6)
  for (const child of racing) go(child)
  for (const { ended } of racing) assert.match((await ended).stdout, /\ncalled\n$/)
  assert.equal(server.oauth.refreshed.length, 1)
  assert.equal(server.calls.length, 6)
})

test('a process killed during a refresh leaves a lock that the next process takes over', async () => {
  const [victim, next] = await start(2)
  assert.ok(victim && next)
  // The request is held before the server acts on it, so the refresh token is still valid.
  server.faults.hold = new Promise(() => undefined)
  go(victim)
  while (server.count(exchange) < 2) await new Promise(setImmediate)
  victim.process.kill('SIGKILL')
  await victim.ended
  delete server.faults.hold
  go(next)
  assert.match((await next.ended).stdout, /\ncalled\n$/)
  assert.equal(server.oauth.refreshed.length, 1)
})

test('a store whose writer is killed at any moment still contains a complete connection', async () => {
  const writer = new URL('../tests/write-child.ts', import.meta.url)
  const before = (await store.read())?.refreshToken?.reveal()
  for (let i = 0; i < 5; i++) {
    const child = runChild(writer, [path.join(folder, 'connection')])
    children.push(child)
    await child.says(/^ready$/m)
    // The kills are spread over the writes, which take a few milliseconds each.
    await new Promise((resolve) => setTimeout(resolve, 20 + i * 7))
    child.process.kill('SIGKILL')
    await child.ended
    const connection = await store.read()
    assert.equal(connection?.refreshToken?.reveal(), before)
    await store.exclusive(() => store.write(connection))
  }
})

test('a connection that one process finds revoked is severed for all processes', async () => {
  const [first, second] = await start(2)
  assert.ok(first && second)
  server.oauth.revokeAll()
  const here = createClient({ url: server.url, store })
  await assert.rejects(here.call('business.list'), { code: 'invalid_grant' })
  go(first)
  assert.match((await first.ended).stdout, /\nsevered\n$/)
  server.log.length = 0
  go(second)
  assert.match((await second.ended).stdout, /\nsevered\n$/)
  assert.deepEqual(server.log, [])
})
