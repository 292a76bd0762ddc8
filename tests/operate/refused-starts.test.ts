/**
 * A node that would do damage does not start, says why within seconds, and the nodes that run go on.
 * A read-only database and a full disk have files of their own here.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { answersNow, type ServiceProcess, startService } from '../crash/support/service-process.ts'
import { freePort } from '../support/network/port.ts'
import { type TestDatabase, testDatabase } from '../support/postgres/database.ts'
import { pgbouncer, startPgbouncer } from '../support/postgres/pgbouncer.ts'
import { missingPrograms } from '../support/processes/debian-program.ts'

const secret = 'a secret of the tests, which is thrown away'
let database: TestDatabase
let folder: string
let first: ServiceProcess

async function startNode(name: string, env: Record<string, string> = {}): Promise<ServiceProcess> {
  const { host, user, database: db } = database.connection
  const DATABASE_URL = `postgres://${user}@localhost/${db}?host=${host}`
  return startService({
    dataDir: path.join(folder, name),
    port: await freePort(),
    env: { DATABASE_URL, CRIER_SECRET: secret, ...env },
  })
}

/** Asserts that a second node ends with these words, while the first one serves on. */
async function refused(env: Record<string, string>, words: RegExp, name = 'second'): Promise<void> {
  const began = performance.now()
  await assert.rejects(startNode(name, env), words)
  assert.ok(performance.now() - began < 30_000, 'within seconds')
  assert.ok(await answersNow(`${first.origin}/readyz`))
}

before(async () => {
  database = await testDatabase()
  folder = await mkdtemp(path.join(os.tmpdir(), 'crier-refused-'))
  first = await startNode('first')
})
after(async () => {
  await first.stop()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

test('a node with another secret does not start, and says where the right one is', async () => {
  const other = { CRIER_SECRET: 'another secret of the tests, thrown away too' }
  await refused(other, /is not the one that this database was set up with.*Set CRIER_SECRET/s)
})

test('a worker does not start on the journal of another machine, nor a node behind an old pooler', {
  skip: missingPrograms(pgbouncer) ?? false,
}, async () => {
  const journal = path.join(folder, 'shared', 'journal')
  await mkdir(journal, { recursive: true })
  const lock = path.join(journal, `${randomUUID()}.${randomUUID()}.lock`)
  await writeFile(lock, '')
  const beat = setInterval(() => void utimes(lock, new Date(), new Date()), 500)
  const pooler = await startPgbouncer(database.connection)
  try {
    // The worker watches the other one's lock for eleven seconds. Meanwhile the pooler is tried.
    await Promise.all([
      refused(
        {},
        /Another machine writes to .*journal.*give this node another DATA_DIR/s,
        'shared',
      ),
      refused({ DATABASE_URL: pooler.url }, /mixes up the prepared statements.*PgBouncer 1\.21/s),
    ])
    assert.deepEqual(await readdir(journal), [path.basename(lock)])
  } finally {
    clearInterval(beat)
    await pooler.stop()
  }
})

test('a node whose clock is ten minutes off does not start, and says by how much', async () => {
  for (const [minutes, words] of [
    [10, /is 600 s ahead of that of the database.*timedatectl/s],
    [-10, /is 600 s behind that of the database/],
  ] as const) {
    const ms = minutes * 60_000
    const shift = `const now = Date.now; Date.now = () => now() + ${ms}`
    const preloaded = `--import=data:text/javascript,${encodeURIComponent(shift)}`
    await refused({ NODE_OPTIONS: preloaded }, words)
  }
})
