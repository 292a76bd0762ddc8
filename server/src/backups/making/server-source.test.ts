import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { pgbouncer, startPgbouncer } from '../../../../tests/support/postgres/pgbouncer.ts'
import { missingPrograms } from '../../../../tests/support/processes/debian-program.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { serverSource } from './server-source.ts'

const deps = { clock: systemClock, log: silentLog, secret: 'a secret of the tests' }

test('nothing is dumped or copied over a pooler, and the setting that leads past it is named', {
  skip: missingPrograms(pgbouncer) ?? false,
}, async (t) => {
  const database = await testDatabase()
  t.after(() => database.drop())
  const pooler = await startPgbouncer(database.connection)
  t.after(() => pooler.stop())
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'crier-pooled-'))
  t.after(() => rm(dataDir, { recursive: true }))
  const folder = path.join(dataDir, 'made')
  await mkdir(folder)
  const source = await serverSource({ ...deps, databaseUrl: pooler.url, dataDir })
  const making = { folder, startedAt: new Date(), onProgress: () => {} }
  await assert.rejects(source.make(making), /A pooler is between .* Set DATABASE_DIRECT_URL/)
  assert.deepEqual(await readdir(folder), [])
})
