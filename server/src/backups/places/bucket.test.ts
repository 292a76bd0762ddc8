import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'
import { promisify } from 'node:util'
import { zstdCompress } from 'node:zlib'
import { type BucketServer, bucketServer } from '../../../../tests/support/network/bucket-server.ts'
import { tarName } from '../../lib/backup/copy-files.ts'
import { pruneBackups } from '../making/prune.ts'
import { type BackupFacts, nameOf, writeFacts } from '../model/backup.ts'
import { bucketPlace } from './bucket.ts'
import { openSource } from './open.ts'
import type { BackupPlace } from './place.ts'

let server: BucketServer
let place: BackupPlace
let folder: string
beforeEach(async () => {
  server = await bucketServer()
  place = bucketPlace({ bucket: server, prefix: 'shop/' }, 64 * 1024)
  folder = await mkdtemp(path.join(os.tmpdir(), 'crier-place-'))
})
afterEach(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

const day = 86_400_000
const counts = { migrations: 1, users: 1, businesses: 1, contacts: 1, campaigns: 0 }

function factsAt(at: number): BackupFacts {
  const startedAt = new Date(at).toISOString()
  return {
    startLsn: '0/5000028',
    endLsn: '0/5000100',
    timeline: 1,
    systemId: '7',
    bytes: 1,
    postgres: 18,
    startedAt,
    endedAt: startedAt,
    counts,
    hasSecret: false,
    verifiedAt: startedAt,
  }
}

const monday = Date.parse('2026-11-23T02:00:00Z')

async function made(at: number, bytes = 200_001): Promise<BackupFacts> {
  await writeFile(path.join(folder, tarName), randomBytes(bytes))
  const facts = factsAt(at)
  await writeFacts(folder, facts)
  return facts
}

test('a backup is sent in parts, counted by their bytes, and read back unchanged', async () => {
  const facts = await made(monday)
  const told: number[] = []
  const { name } = await place.keep(folder, facts, (_, done) => told.push(done))
  assert.equal(name, '2026-11-23T02-00-00Z')
  assert.equal(told.at(-1), 200_001)
  assert.ok(server.asked.some((asked) => asked.includes('partNumber=4')))
  assert.deepEqual(await place.list(), [{ ...facts, name }])
  const read = await place.read(name, tarName)
  assert.ok(read)
  assert.deepEqual(
    Buffer.concat(await Array.fromAsync(read)),
    await readFile(path.join(folder, tarName)),
  )
  assert.equal(await place.read(name, 'files.tar.zst'), undefined)
  // A second one of the same second gets the next second's name.
  assert.equal((await place.keep(folder, facts, () => {})).name, nameOf(new Date(monday + 1000)))
})

test('an upload that was cut off is no backup, and the next backup a day later removes its rest', async () => {
  const cut = `shop/backups/${nameOf(new Date(monday))}/`
  server.objects.set(`${cut}${tarName}`, Buffer.from('x'))
  server.uploads.set('left', { key: `${cut}files.tar.zst`, parts: new Map() })
  assert.deepEqual(await place.list(), [])
  await place.keep(folder, await made(monday + day), () => {})
  assert.ok(server.objects.has(`${cut}${tarName}`), 'another process may still be sending it')
  await place.keep(folder, await made(monday + day + 1000), () => {})
  assert.ok(!server.objects.has(`${cut}${tarName}`))
  assert.equal((await place.list()).length, 2)
})

test('a bucket that loses bytes, refuses the key, or does not answer is told in words, and nothing is kept', async () => {
  const facts = await made(monday)
  server.refuse = (asked) => {
    const isFacts = asked.startsWith('PUT') && asked.includes('crier.json')
    return isFacts ? { status: 403, code: 'AccessDenied' } : undefined
  }
  await assert.rejects(
    place.keep(folder, facts, () => {}),
    {
      name: 'StartError',
      message:
        /^The bucket crier-files at 127\.0\.0\.1:\d+ refuses the key \(AccessDenied\)\. See AWS_/,
    },
  )
  assert.equal(server.objects.size, 0)
  server.refuse = (asked) => {
    // The object shrinks between the upload and the listing.
    const key = [...server.objects.keys()].find((text) => text.endsWith(tarName))
    if (asked.startsWith('GET ?') && key) server.objects.set(key, Buffer.from('x'))
    return undefined
  }
  await assert.rejects(
    place.keep(folder, facts, () => {}),
    /holds 1 bytes of base\.tar\.zst/,
  )
  assert.equal(server.objects.size, 0)
  await server.close()
  await assert.rejects(place.list(), /does not answer \(ECONNREFUSED\)\. See AWS_ENDPOINT_URL_S3/)
})

test('pruning removes old backups of a bucket, and the archive from before the oldest that stays', async () => {
  await place.keep(folder, await made(monday - 40 * day), () => {})
  for (let n = 0; n < 8; n++) await place.keep(folder, await made(monday + n * day), () => {})
  for (const segment of ['4', '5', '6']) {
    const name = `00000001000000000000000${segment}`
    server.objects.set(`shop/wal/7/${name}.zst`, await promisify(zstdCompress)(name))
  }
  server.objects.set('shop/wal/7/00000002.history.zst', Buffer.from('x'))
  // Of a cluster that was converted, and of the one in use before its first backup.
  server.objects.set('shop/wal/6/000000010000000000000009.zst', Buffer.from('x'))
  server.objects.set('shop/wal/8/000000010000000000000001.zst', Buffer.from('x'))
  const { removed, archiveFiles } = await pruneBackups(place, '8')
  assert.deepEqual([removed.length, archiveFiles], [1, 2])
  assert.deepEqual(
    [...server.objects.keys()].filter((key) => key.startsWith('shop/wal/')),
    [
      'shop/wal/7/000000010000000000000005.zst',
      'shop/wal/7/000000010000000000000006.zst',
      'shop/wal/7/00000002.history.zst',
      'shop/wal/8/000000010000000000000001.zst',
    ],
  )
  const file = path.join(folder, 'segment')
  assert.equal(
    await place.fetchArchived({ systemId: '7', name: '000000010000000000000004' }, file),
    false,
  )
  assert.equal(
    await place.fetchArchived({ systemId: '7', name: '000000010000000000000005' }, file),
    true,
  )
  assert.equal(await readFile(file, 'utf8'), '000000010000000000000005')
})

test('a source names all backups of a bucket, or one of them', async () => {
  const { name } = await place.keep(folder, await made(monday), () => {})
  const { endpoint, region, credentials } = server
  const access = { endpoint, region, credentials }
  const all = await openSource('s3://crier-files/shop', access)
  assert.deepEqual([all.only, (await all.backupPlace.list()).length], [undefined, 1])
  const one = await openSource(`s3://crier-files/shop/backups/${name}/`, access)
  assert.deepEqual([one.only, (await one.backupPlace.list()).length], [name, 1])
  const without = openSource('s3://crier-files/shop', { ...access, credentials: undefined })
  await assert.rejects(without, /AWS_ACCESS_KEY_ID/)
})
