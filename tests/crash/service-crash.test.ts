import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { sql } from '../../server/src/lib/db/db.ts'
import { freePort } from '../support/network/port.ts'
import { migratedDataDir } from './support/data-dir.ts'
import { kinds } from './support/kill.ts'
import { newChain, newLedger } from './support/ledger.ts'
import { crashLoop } from './support/loops/crash-loop.ts'
import { newCode } from './support/oauth-client.ts'
import { seedGrantor } from './support/seed.ts'
import { startService } from './support/service-process.ts'
import { assertDurable, verify } from './support/verify.ts'

// One kill of each kind; `npm run soak` runs longer. CRASH_SEED repeats a run.
test('acknowledged changes survive kill -9 of the service and of the database', async (t) => {
  const seed = Number(process.env['CRASH_SEED'] ?? randomInt(2 ** 32))
  t.diagnostic(`CRASH_SEED=${seed}`)
  const reports = await crashLoop({ kills: kinds.length, seed })

  assert.deepEqual(new Set(reports.map((report) => report.kind)), new Set(kinds))
  const sum = (of: (report: (typeof reports)[number]) => number) =>
    reports.reduce((total, report) => total + of(report), 0)
  // A storm without writes, or one that no kill interrupted, would prove nothing.
  assert.ok(sum((report) => report.registrations) > 50)
  assert.ok(sum((report) => report.refreshes) > 50)
  assert.ok(sum((report) => report.exchanges) > 50)
  assert.ok(sum((report) => report.unanswered) > 0)
  const [unanswered, made] = [sum((r) => r.unanswered), sum((r) => r.lostAnswers)]
  t.diagnostic(`${unanswered} writes without an answer; ${made} refreshes and codes of them made`)
})

test('the check after a crash detects a lost client, a lost token and a weaker commit setting', async () => {
  const dataDir = await migratedDataDir()
  const service = await startService({ dataDir: dataDir.path, port: await freePort() })
  const db = await dataDir.open(1)
  try {
    const { clientId } = await seedGrantor(db, new Date())
    const target = { origin: service.origin, clientId }
    const lost = [
      { clients: ['cli_never_registered'] },
      { chains: [newChain('rt_never_issued')] },
      { doubtfulCodes: [newCode()] },
    ]
    for (const entry of lost) {
      await assert.rejects(verify({ ...newLedger(), ...entry }, target, db), Object.keys(entry)[0])
    }
    await verify({ ...newLedger(), clients: [clientId] }, target, db)
    await assertDurable(db)
    await db.tx(async (tx) => {
      await tx.run(sql`set local synchronous_commit = off`)
      await assert.rejects(assertDurable(tx), /synchronous_commit/)
    })
  } finally {
    await db.end()
    await service.stop()
    await dataDir.remove()
  }
})
