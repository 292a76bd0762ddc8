import assert from 'node:assert/strict'
import { chownSync, statSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { temporaryDataDir } from '../../../../tests/support/postgres/data-dir.ts'
import {
  killPostgresProcesses,
  postgresProcess,
} from '../../../../tests/support/postgres/postgres-process.ts'
import { openDatabase, sql } from '../db/db.ts'
import { closedTo } from './account.ts'
import { dataLock, lockHolder } from './locks.ts'

// As root the tests switch to an ordinary user; any other user is one already.
const root = process.getuid?.() === 0
const ordinaryUser = root ? { uid: 65_534, gid: 65_534 } : {}
const closed = root ? closedTo({ uid: 65_534, gid: 65_534 }, import.meta.dirname) : undefined
const skip = closed ? `no other user may enter ${closed}` : false

test('an ordinary user starts a database of their own, and root can open it later', {
  skip,
}, async () => {
  const dataDir = temporaryDataDir({ below: '.' })
  after(async () => {
    await killPostgresProcesses()
    await dataDir.remove()
  })
  if (root) chownSync(dataDir.path, 65_534, 65_534)
  const service = await postgresProcess(dataDir.path, ordinaryUser)
  const db = openDatabase(service)
  await db.run(sql`create table kept (n int)`)
  await db.end()
  assert.equal(await service.leave(), 0)

  const data = path.join(dataDir.path, 'postgres', 'data')
  assert.equal(statSync(data).uid, ordinaryUser.uid ?? process.getuid?.())
  assert.equal(lockHolder(dataLock(data)), undefined)

  const later = await postgresProcess(dataDir.path)
  const again = openDatabase(later)
  await again.run(sql`select n from kept`)
  await again.end()
  assert.equal(await later.leave(), 0)
  assert.equal(statSync(data).uid, ordinaryUser.uid ?? process.getuid?.())
})

test('a database of another user is refused, and the error contains its uid', {
  skip: skip || !root,
}, async () => {
  const dataDir = temporaryDataDir({ below: '.' })
  after(dataDir.remove)
  const service = await postgresProcess(dataDir.path)
  await service.leave()
  const { uid } = statSync(path.join(dataDir.path, 'postgres', 'data'))
  chownSync(dataDir.path, 65_534, 65_534)
  await assert.rejects(
    postgresProcess(dataDir.path, ordinaryUser),
    new RegExp(`belongs to uid ${uid}. Start Crier as that user or as root`),
  )
})
