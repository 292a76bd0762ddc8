import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  sendOff,
  standings,
  stateOf,
} from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  draftTo,
  type Running,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import { sinkTestbed } from '../../../../tests/support/mail/sink-testbed.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { sql } from '../../lib/db/db.ts'
import { later, minutes, seconds } from '../../lib/time/clock.ts'

const bench = sinkTestbed('?pool=4&warmup=no', { settings: { CANARY_SECONDS: '8' } })
const { skip } = bench

const set = ({ campaignId }: Running, values: { throttle?: number; local?: string }) =>
  bench.testbed.db.run(sql`
    update campaigns set throttle_per_minute = ${values.throttle ?? null},
      send_local = ${values.local ?? null},
      zone_mode = ${values.local === undefined ? 'business' : 'recipient'}
    where id = ${campaignId}
  `)

test('a throttled campaign takes as long as its throttle requires', { skip }, async () => {
  const running = await draftTo(bench.testbed, 40)
  await set(running, { throttle: 600 })
  const began = performance.now()
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  // Ten a second, and up to two seconds' worth may accumulate.
  assert.ok(performance.now() - began > 1_900)
})

test('the first 2 % are sent to, and the other recipients after the wait', { skip }, async () => {
  const running = await draftTo(bench.testbed, 1_100)
  await sendOff(running)
  await eventually(
    () => standings(running),
    ({ sent = 0 }) => sent >= 22,
  )
  await sleep(1_000)
  assert.deepEqual(await standings(running), { pending: 1_078, sent: 22 })
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), { sent: 1_100 })
})

test('a campaign at an hour of local time is sent time zone by time zone', { skip }, async () => {
  const running = await draftTo(bench.testbed, 9)
  const { businessId } = running
  // The send hour is now in Paris, and an hour later in London and for unknown time zones.
  await bench.testbed.db.run(
    sql`update businesses set time_zone = 'Europe/London' where id = ${businessId}`,
  )
  for (const [zone, after, upTo] of [
    ['Europe/Paris', 0, 3],
    ['Mars/Base', 3, 6],
  ] as const) {
    await bench.testbed.db.run(sql`
      update contacts set attributes = json_build_object('time_zone', ${zone}::text)
      where business_id = ${businessId} and id in (
        select id from contacts where business_id = ${businessId} order by id
        offset ${after} limit ${upTo - after}
      )
    `)
  }
  const paris = new Intl.DateTimeFormat('sv-SE', {
    timeZone: 'Europe/Paris',
    dateStyle: 'short',
    timeStyle: 'short',
  })
  const local = paris.format(later(new Date(), -minutes(2))).replace(' ', 'T')
  await set(running, { local })
  await sendOff(running)
  await eventually(
    () => standings(running),
    ({ sent }) => sent === 3,
  )
  await sleep(1_000)
  assert.deepEqual(await standings(running), { pending: 6, sent: 3 })
  assert.equal(await stateOf(running), 'deployed')
  await bench.testbed.db.run(sql`
    update campaign_recipients set due_at = ${later(new Date(), seconds(1))}
    where campaign_id = ${running.campaignId} and state = 'pending'
  `)
  assert.equal(await awaitState(running, 'completed'), 'completed')
})

test('a small campaign does not wait behind a large one', { skip }, async () => {
  const large = await draftTo(bench.testbed, 20_000)
  await sendOff(large)
  await eventually(
    () => standings(large),
    ({ sent = 0 }) => sent > 500,
  )
  const small = await draftTo(bench.testbed, 100)
  await sendOff(small)
  assert.equal(await awaitState(small, 'completed'), 'completed')
  const { sent = 0 } = await standings(large)
  assert.ok(sent < 5_000, `${sent} of the large one went first`)
  assert.equal(await stateOf(large), 'deployed')
})
