import assert from 'node:assert/strict'
import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { inspect } from 'node:util'
import type { Connection } from './connection.ts'
import { sealedFile } from './sealed-file.ts'
import { Secret } from './secret.ts'
import type { Store } from './store.ts'

const root = await mkdtemp(path.join(os.tmpdir(), 'crier-store-'))
let folder: string
let file: string
let store: Store

beforeEach(async () => {
  folder = path.join(await mkdtemp(path.join(root, 'x-')), 'crier')
  file = path.join(folder, 'connection')
  store = sealedFile({ file })
})
after(() => rm(root, { recursive: true }))

const connection: Connection = {
  server: {
    issuer: 'http://localhost:1',
    authorizationEndpoint: 'http://localhost:1/a',
    tokenEndpoint: 'http://localhost:1/t',
    registrationEndpoint: 'http://localhost:1/r',
    toolEndpoint: 'http://localhost:1/m',
    scopes: ['meta:read'],
    sendsIssuer: true,
    fetchedAt: 5,
  },
  clientId: 'client-1',
  accessToken: new Secret('access-text'),
  refreshToken: new Secret('rt_refresh-text'),
  expiresAt: 7,
  scopes: ['meta:read'],
  refusals: 1,
  severed: false,
}

const unreadable = { code: 'store_unreadable' }
const mode = async (name: string): Promise<string> => ((await stat(name)).mode & 0o777).toString(8)

test('a store that was never written is empty', async () => {
  assert.equal(await store.read(), undefined)
})

test('another store over the same file reads the written connection', async () => {
  await store.write(connection)
  const read = await sealedFile({ file }).read()
  assert.deepEqual({ ...read }, { ...connection })
  assert.equal(read?.accessToken.reveal(), 'access-text')
  assert.equal(read?.refreshToken?.reveal(), 'rt_refresh-text')
})

test('a connection without a refresh token is read back without one', async () => {
  const { refreshToken: _, ...rest } = connection
  await store.write(rest)
  assert.equal((await store.read())?.refreshToken, undefined)
})

test('the connection file, the key file and their folder are private to their owner', async () => {
  const umask = process.umask(0)
  try {
    await store.write(connection)
  } finally {
    process.umask(umask)
  }
  assert.equal(await mode(file), '600')
  assert.equal(await mode(path.join(folder, 'key')), '600')
  assert.equal(await mode(folder), '700')
})

test('neither the connection file nor the key file contains a readable token', async () => {
  await store.write(connection)
  for (const name of await readdir(folder)) {
    const text = (await readFile(path.join(folder, name))).toString('latin1')
    assert.doesNotMatch(text, /access-text|refresh-text|client-1/)
  }
})

test('writing undefined deletes the connection, also when it is repeated', async () => {
  await store.write(connection)
  await store.write(undefined)
  await store.write(undefined)
  assert.equal(await store.read(), undefined)
})

test('a connection file with any changed byte is refused, and can be replaced', async () => {
  await store.write(connection)
  const sealed = await readFile(file)
  for (const at of [0, 16, 40, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    await writeFile(file, changed)
    await assert.rejects(store.read(), unreadable, `byte ${at}`)
  }
  for (const length of [0, 5, 40]) {
    await writeFile(file, sealed.subarray(0, length))
    await assert.rejects(store.read(), unreadable, `${length} bytes`)
  }
  await store.write(connection)
  assert.ok(await store.read())
})

test('a connection file cannot be opened with another key or without a key', async () => {
  await store.write(connection)
  const key = path.join(folder, 'key')
  await writeFile(key, Buffer.alloc(32, 7))
  await assert.rejects(store.read(), unreadable)
  await writeFile(key, 'short')
  await assert.rejects(store.read(), unreadable)
  await rm(key)
  await assert.rejects(store.read(), unreadable)
  await store.write(connection)
  assert.ok(await store.read())
})

for (const name of ['connection', 'key']) {
  test(`a ${name} file that other users can read is refused, with the command that repairs it`, async () => {
    await store.write(connection)
    await chmod(path.join(folder, name), 0o640)
    await assert.rejects(store.read(), { ...unreadable, message: /chmod 600 .*sign in again/ })
  })
}

test('a temporary file left by a crash is ignored, and removed at the next write', async () => {
  await store.write(connection)
  await writeFile(`${file}.a1b2c3.new`, 'half')
  assert.ok(await store.read())
  await store.write(connection)
  assert.deepEqual(
    (await readdir(folder)).filter((entry) => entry.endsWith('.new')),
    [],
  )
})

test('stores in one folder share one key, also when they create it at once', async () => {
  const others = ['a', 'b', 'c', 'd'].map((name) => sealedFile({ file: path.join(folder, name) }))
  await Promise.all(others.map((other) => other.write(connection)))
  for (const other of others) assert.ok(await other.read())
})

test('exclusive work in two stores over one file takes turns', async () => {
  const order: string[] = []
  const work = (label: string) => async () => {
    order.push(label)
    await new Promise(setImmediate)
    order.push(label)
  }
  await Promise.all([store.exclusive(work('a')), sealedFile({ file }).exclusive(work('b'))])
  assert.match(order.join(''), /^(aabb|bbaa)$/)
})

test('the tokens of a stored connection are hidden when it is inspected or printed as JSON', async () => {
  await store.write(connection)
  const read = await store.read()
  const shown = inspect([read, store], { depth: 9, showHidden: true }) + JSON.stringify(read)
  assert.doesNotMatch(shown, /access-text|refresh-text/)
})
