import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import { placeOf } from 'crier-server/lib/jobs/job.ts'
import { firstLanes } from 'crier-server/messages/queue.ts'
import { draftIn, sendOff, standings } from '../support/businesses/campaign-drafts.ts'
import { awaitState } from '../support/businesses/campaign-runs.ts'
import { startSmtpSink, withoutSmtpSink } from '../support/mail/smtp-sink.ts'
import { freePort } from '../support/network/port.ts'
import { testDatabase } from '../support/postgres/database.ts'
import { eventually } from '../support/time/eventually.ts'
import { newDataDir } from './support/data-dir.ts'
import { startService } from './support/service-process.ts'

const skip = withoutSmtpSink() ?? false
const recipients = 1_200
const lines = 4

/** A separate worker with its own disk and relay. */
async function worker(databaseUrl: string) {
  const sink = await startSmtpSink({ keep: true })
  const dataDir = await newDataDir()
  const env = {
    DATABASE_URL: databaseUrl,
    CRIER_SECRET: 'a secret of the tests, which is thrown away',
    SMTP_URL: sink.url(`?pool=${lines}&rate=80&warmup=no`),
    SENDER_GATE: 'off',
    MAIL_FROM: 'hello@shop.example',
    CANARY_SECONDS: '0',
  }
  const service = await startService({ dataDir: dataDir.path, port: await freePort(), env })
  return {
    sink,
    service,
    async end() {
      await service.stop()
      await sink.stop()
      await dataDir.remove()
    },
  }
}

/** A draft whose places both workers share; sometimes one of them gets all eight by chance. */
async function draftForBoth(db: Database) {
  for (;;) {
    const campaign = await draftIn(db, recipients)
    const shards = firstLanes({ ...campaign, channel: 'email' }).map((lane) => placeOf(lane).shard)
    const workers = await db.all<{ places: number }>(sql`
      select count(*)::int as places from shard_leases join unnest(${shards}::int[]) as place (shard)
        using (shard)
      group by worker
    `)
    // After the canary, five chunks use five of the eight places, so four for each are enough.
    if (workers.length === 2 && workers.every(({ places }) => places === 4)) return campaign
  }
}

test('two workers share a campaign, and when one dies the other finishes it', {
  skip,
}, async (t) => {
  const { db, connection, drop } = await testDatabase()
  t.after(drop)
  const { host, user, database } = connection
  const url = `postgres://${user}@localhost/${database}?host=${host}`
  const one = await worker(url)
  t.after(() => one.end())
  const other = await worker(url)
  t.after(() => other.end())
  // Waits until the second worker has its half of the shards.
  await eventually(
    () => db.one<{ n: number }>(sql`select count(distinct worker)::int as n from shard_leases`),
    ({ n }) => n === 2,
  )
  const campaign = await draftForBoth(db)
  await sendOff(campaign)
  const sentBoth = async () =>
    Math.min(
      ...(await Promise.all(
        [one, other].map(async ({ sink }) => (await sink.messageIds()).length),
      )),
    )
  assert.ok((await eventually(sentBoth, (n) => n > 50)) > 50, 'both have their part')
  await other.service.kill()
  assert.equal(await awaitState(campaign, 'completed', 120_000), 'completed')
  const { sent = 0, unknown = 0, ...others } = await standings(campaign)
  assert.deepEqual(others, {})
  assert.equal(sent + unknown, recipients)
  t.diagnostic(`${unknown} unknown`)
  // The dead worker's messages on its connections and its disk; here that disk is lost for good.
  assert.ok(unknown <= lines * 10, `${unknown} unknown`)
  const ids = [...(await one.sink.messageIds()), ...(await other.sink.messageIds())]
  assert.equal(new Set(ids).size, ids.length, 'nobody got it twice')
})
