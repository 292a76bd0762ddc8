import assert from 'node:assert/strict'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { testDatabase } from '../../../../tests/support/postgres/database.ts'
import { pgbouncer, startPgbouncer } from '../../../../tests/support/postgres/pgbouncer.ts'
import { missingPrograms } from '../../../../tests/support/processes/debian-program.ts'
import { silentLog } from '../../../../tests/support/silent-log.ts'
import { dumpName } from '../../lib/backup/dump.ts'
import { systemClock } from '../../lib/time/clock.ts'
import type { BackupFacts } from '../model/backup.ts'
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

test('a dump that is newer than every server of this machine is not verified, and not called damaged', async (t) => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'crier-newer-'))
  const { PATH } = process.env
  t.after(async () => {
    process.env['PATH'] = PATH
    await rm(dataDir, { recursive: true })
  })
  const programs = path.join(dataDir, 'programs')
  await mkdir(programs)
  for (const name of ['pg_dump', 'pg_restore']) {
    const file = path.join(programs, name)
    await writeFile(
      file,
      `#!/bin/sh\n[ "$1" = --version ] && echo "${name} (PostgreSQL) 99.1" && exit\nexit 1\n`,
    )
    await chmod(file, 0o755)
  }
  process.env['PATH'] = `${programs}:${PATH}`
  const source = await serverSource({
    ...deps,
    databaseUrl: 'postgres://crier@localhost/x',
    dataDir,
  })
  const facts = { kind: 'dump', postgres: 99 } as unknown as BackupFacts
  const packed = async function* () {
    yield Buffer.from(dumpName)
  }
  const result = await source.verify(facts, packed())
  assert.match('why' in result ? result.why : 'it was verified', /no PostgreSQL 99/)
})
