import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import path from 'node:path'
import readline from 'node:readline'
import { after, test } from 'node:test'
import { openDatabase, sql } from '../../server/src/lib/db/db.ts'
import { dataLock, lockHolder } from '../../server/src/lib/postgres/locks.ts'
import { openPostgres } from '../../server/src/lib/postgres/open.ts'
import { temporaryDataDir } from '../support/postgres/data-dir.ts'
import { silentLog } from '../support/silent-log.ts'

const kills = 5

/** Reads the writer's output, and lets the test wait for a number of acknowledgements. */
function follow(writer: ChildProcess) {
  const acknowledged: string[] = []
  const counts = { lost: 0 }
  let wake = () => {}
  let ended = false
  writer.once('exit', () => {
    ended = true
    wake()
  })
  if (!writer.stdout) throw new Error('no pipe')
  const lines = readline.createInterface({ input: writer.stdout })
  lines.on('line', (line) => {
    if (line === 'lost') counts.lost++
    else acknowledged.push(line)
    wake()
  })
  return {
    acknowledged,
    counts,
    drained: once(lines, 'close'),
    async more(n: number): Promise<void> {
      for (const wanted = acknowledged.length + n; acknowledged.length < wanted; ) {
        if (ended) throw new Error('the writer ended by itself')
        const woken = Promise.withResolvers<void>()
        wake = woken.resolve
        await woken.promise
      }
    },
  }
}

test('every acknowledged transaction is complete after kill -9 of the database', async (t) => {
  const dataDir = temporaryDataDir()
  const script = path.join(import.meta.dirname, 'support/row-writer.ts')
  const writer = spawn(process.execPath, ['--conditions=crier-source', script, dataDir.path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  after(async () => {
    writer.kill('SIGKILL')
    await dataDir.remove()
  })
  const written = follow(writer)
  const data = dataLock(path.join(dataDir.path, 'postgres', 'data'))
  let killed: number | undefined
  /** Kills a server not killed before, since acknowledgements may predate the last kill. */
  const killServer = async () => {
    for (let pid = lockHolder(data); ; pid = lockHolder(data)) {
      if (pid && pid !== killed) {
        killed = pid
        process.kill(pid, 'SIGKILL')
        return
      }
      await written.more(1)
    }
  }

  for (let kill = 0; kill < kills; kill++) {
    await written.more(randomInt(1, 400))
    await killServer()
  }
  await written.more(randomInt(1, 400))
  await killServer()
  writer.kill('SIGKILL')
  await written.drained

  const postgres = await openPostgres({
    dataDir: dataDir.path,
    databaseUrl: undefined,
    log: silentLog,
  })
  const db = openDatabase(postgres)
  const missing = await db.all(sql`
    select id from unnest(${written.acknowledged}::uuid[]) as id
    where not exists (select 1 from debits where debits.id = id.id)
  `)
  assert.deepEqual(missing, [])
  const halves = await db.all(sql`
    select id from debits full join credits using (id)
    where debits.id is null or credits.id is null
  `)
  assert.deepEqual(halves, [])
  await db.end()
  await postgres.stop()

  assert.ok(written.counts.lost > 0, 'the kills met transactions under way')
  t.diagnostic(`${written.acknowledged.length} acknowledged, ${written.counts.lost} lost`)
})
