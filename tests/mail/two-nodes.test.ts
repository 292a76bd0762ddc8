import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import { startSecondNode } from '../operations/support/second-node.ts'
import { startFakeRelay } from '../support/mail/fake-relay.ts'
import { mailService } from '../support/mail/mail-service.ts'
import { eventually } from '../support/time/eventually.ts'

const perJob = 6

test('two processes share the mail of one business, and each message is sent once', async (t) => {
  const relays = [await startFakeRelay(), await startFakeRelay()] as const
  t.after(() => Promise.all(relays.map((relay) => relay.stop())))
  const mail = await mailService(relays[0].url('?pool=3'))
  t.after(() => mail.close())
  const { service, db } = mail.testbed
  const config = { ...service.config, smtpUrl: relays[1].url('?pool=3') }
  const second = await startSecondNode({ ...service, config })
  t.after(() => second.close())
  // Waits until the second worker has its half of the shards.
  await eventually(
    () =>
      db.one<{ workers: number; least: number }>(sql`
        select count(*)::int as workers, coalesce(min(n), 0)::int as least
        from (select count(*) as n from shard_leases group by worker) held
      `),
    ({ workers, least }) => workers === 2 && least > 100,
  )
  const numbers = Array.from({ length: 120 }, (_, n) => n)
  // Messages sent at once share a job, and so a process; several jobs give both processes some.
  for (let at = 0; at < numbers.length; at += perJob) {
    const some = numbers.slice(at, at + perJob)
    await Promise.all(some.map((n) => mail.send(`person-${n}@example.com`)))
  }
  await eventually(
    () =>
      db.one<{ n: number }>(sql`
      select count(*)::int as n from messages where state = 'accepted'
    `),
    ({ n }) => n === numbers.length,
  )
  const [one, other] = relays.map(({ taken }) => taken.map(({ to }) => to))
  assert.ok(one && other && one.length > 0 && other.length > 0, `${one?.length}, ${other?.length}`)
  assert.equal(new Set([...one, ...other]).size, numbers.length)
  assert.equal(one.length + other.length, numbers.length)
})
