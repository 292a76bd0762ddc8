import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../tests/support/postgres/database.ts'
import { ManualClock } from '../../../tests/support/time/manual-clock.ts'
import { clockJumpFinding } from '../checks/check-nodes.ts'
import { sql } from '../lib/db/db.ts'
import { observed } from '../lib/observing/observed.ts'
import { createSteadyClock, days, hours, minutes, seconds } from '../lib/time/clock.ts'
import { createNodeRecord } from './node-record.ts'
import { readReport } from './report.ts'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

const figures = {
  workers: 1,
  oldestSeconds: { 'message.send': 7 },
  dead: { 'message.send': 1, 'webhook.deliver': 2 },
  isSendingPaused: false,
  backupAgeSeconds: undefined,
  diskFreeBytes: 5e9,
  partitionsAhead: {},
}
const report = (now: Date) =>
  readReport(
    {
      db: database.db,
      makesBackups: true,
      figures: async () => figures,
      findings: async () => [],
    },
    now,
  )

const send = (name: string, result: string) =>
  observed({ kind: 'send', name, resultOf: () => result }, async () => undefined)

test('what two nodes do in ten minutes is added up, and shown for a day', async () => {
  const clock = new ManualClock()
  const { db } = database
  const [api, worker] = (['api', 'worker'] as const).map((role) =>
    createNodeRecord({ db, clock, role, everyMs: hours(1) }),
  )
  assert.ok(api && worker)
  await Promise.all([api.start(), worker.start()])
  const told: string[] = []
  const tell = (operation: string, outcome: string) => void told.push(`${operation} ${outcome}`)
  const [first, second] = [api.measuring(tell), worker.measuring(tell)]
  for (const outcome of ['ok', 'not_found', 'internal']) first('form.get', outcome, 0.1)
  second('form.get', 'ok', 0.1)
  assert.equal(told.length, 4)
  // Both hear of it, since they are in one process here.
  await send('email', 'accepted')
  await send('sms', 'accepted')
  await send('email', 'deferred')
  await send('email', 'refused')
  await observed({ kind: 'delivery', name: 'form.submitted', resultOf: () => 'timeout' }, () =>
    Promise.resolve(),
  )
  await Promise.all([api.stop(), worker.stop()])
  const now = clock.now()
  const { work, nodes, queues, backup } = await report(now)
  const last = Object.fromEntries(
    Object.entries(work.amounts).map(([kind, amounts]) => [kind, amounts.at(-1)]),
  )
  assert.deepEqual(last, {
    calls: 3,
    calls_failed: 1,
    mails: 2,
    texts: 2,
    messages_deferred: 2,
    messages_failed: 2,
    webhooks: 0,
    webhooks_failed: 2,
  })
  assert.equal(work.amounts['calls']?.length, 144)
  assert.deepEqual(nodes, [], 'nodes that have stopped are not shown')
  assert.deepEqual(backup, { is_made: true })
  assert.deepEqual(queues, [
    { kind: 'message.send', oldest_seconds: 7, dead: 1 },
    { kind: 'webhook.deliver', oldest_seconds: 0, dead: 2 },
  ])
  const tomorrow = new Date(now.getTime() + days(1))
  assert.ok((await report(tomorrow)).work.amounts['calls']?.every((amount) => amount === 0))
})

test('a node that died is told as gone after a minute, and forgotten after an hour', async () => {
  const clock = new ManualClock()
  const { db } = database
  const node = createNodeRecord({ db, clock, role: 'all', everyMs: hours(1) })
  await node.start()
  const stateAfter = async (ms: number) => {
    const { nodes } = await report(new Date(clock.now().getTime() + ms))
    return nodes.map(({ role, is_alive }) => `${role} ${is_alive}`)
  }
  assert.deepEqual(await stateAfter(minutes(1) - 1), ['all true'])
  assert.deepEqual(await stateAfter(minutes(1)), ['all false'])
  assert.deepEqual(await stateAfter(hours(1)), ['all false'])
  assert.deepEqual(await stateAfter(hours(1) + 1), [])
  await node.stop()
})

test('a node whose clock jumped is named until its clock is right again', async () => {
  const { db } = database
  let [aheadMs, passed] = [0, 0]
  const began = Date.now()
  const system = { now: () => new Date(began + passed + aheadMs) }
  const clock = createSteadyClock(system, () => passed)
  const node = createNodeRecord({ db, clock, role: 'worker', everyMs: hours(1) })
  for (const ahead of [days(3), -hours(2)]) {
    aheadMs = 0
    await node.start()
    assert.equal(await clockJumpFinding(db, system.now()), undefined)
    aheadMs = ahead
    passed += seconds(15)
    await node.start()
    const finding = await clockJumpFinding(db, system.now())
    assert.equal(finding?.outcome, 'fail')
    const by = ahead > 0 ? '259200 s forward' : '7200 s back'
    assert.match(finding?.text ?? '', new RegExp(`jumped ${by}: it claims no jobs`))
  }
  aheadMs = 0
  await node.start()
  assert.equal(await clockJumpFinding(db, system.now()), undefined)
  await node.stop()
})

test('figures of two days ago are deleted', async () => {
  const clock = new ManualClock()
  const { db } = database
  const old = new Date(clock.now().getTime() - days(2) - 1)
  await db.run(sql`insert into node_work (slot, what, amount) values (${old}, 'calls', 1)`)
  const node = createNodeRecord({ db, clock, role: 'all', everyMs: hours(1) })
  await node.start()
  await node.stop()
  const { left } = await db.one<{ left: number }>(sql`
    select count(*)::int as left from node_work where slot <= ${old}
  `)
  assert.equal(left, 0)
})
