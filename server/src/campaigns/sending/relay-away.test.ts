/** A campaign whose relay disappears, or refuses more mail, while it is sent. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  sendOff,
  standings,
  stateOf,
} from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  draftTo,
  type Running,
  relaySettings,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import { type FakeRelay, reply, startFakeRelay } from '../../../../tests/support/mail/fake-relay.ts'
import { freePort } from '../../../../tests/support/network/port.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'

const lines = 4

let busy = false
const asTold: Parameters<typeof startFakeRelay>[0] = {
  onMailFrom: ({ address }, _session, done) =>
    done(busy && address.endsWith('@busy.test') ? reply('421 4.7.0 too much') : undefined),
}

let relay: FakeRelay
let testbed: OwnTestbed
before(async () => {
  // The relay comes back on the same port.
  relay = await startFakeRelay(asTold, await freePort())
  testbed = await openTestbed(relaySettings(relay.url(`?pool=${lines}&rate=100&warmup=no`)))
})
after(async () => {
  await testbed.close()
  await relay.stop()
})

const sendMail = ({ scene }: Running, to: string) =>
  scene.owner.get('email.send', { to, subject: 'Your receipt', text: 'Thank you' })

/** The Message-IDs of the campaign's accepted messages, repeated as often as they were accepted. */
function takenOf(taken: FakeRelay['taken'], { name }: Running): string[] {
  return taken
    .filter(({ source }) => source.includes(`Feedback-ID: ${name}`))
    .map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1] ?? '')
}

/** The messages accepted more than once, with their counts and recorded events. */
async function twice(first: FakeRelay['taken'], second: FakeRelay['taken'], running: Running) {
  const [before, after] = [takenOf(first, running), takenOf(second, running)]
  const again = new Set([...before, ...after].filter((id, at, all) => all.indexOf(id) !== at))
  const count = (ids: string[], id: string) => ids.filter((text) => text === id).length
  return Promise.all(
    [...again].map(async (id) => ({
      id,
      before: count(before, id),
      after: count(after, id),
      events: await testbed.db.all(sql`
        select type, code, words, happened_at, created_at from message_events
        where business_id = ${running.businessId}
          and message_id = ${parseId('message', id.slice(1, id.indexOf('@'))) ?? null}
        order by created_at
      `),
    })),
  )
}

/** The recipients' states, once they have not changed for a second. */
async function atRest(running: Running) {
  let last = await standings(running)
  await eventually(
    async () => {
      await sleep(1_000)
      const [before, now] = [last, await standings(running)]
      last = now
      return isDeepStrictEqual(before, now)
    },
    (rests) => rests,
  )
  return last
}

/** Retries deferred messages at once, until the campaign is completed. */
function hurried(running: Running): Promise<string> {
  const hurry = async () => {
    await testbed.db.run(sql`
      update messages set due_at = '2020-01-01'
      where campaign_id = ${running.campaignId} and state = 'deferred'
    `)
    await testbed.db.run(sql`
      update jobs set due_at = '2020-01-01' where kind = 'message.email' and lease is null
    `)
    await testbed.db.run(sql`update lanes set next_at = '2020-01-01' where kind = 'message.email'`)
    return stateOf(running)
  }
  return eventually(hurry, (state) => state === 'completed', 60_000)
}

test('when the relay is away and comes back, no recipient is lost or sent to twice', async () => {
  const running = await draftTo(testbed, 300)
  const other = await draftTo(testbed, 20)
  await sendOff(running)
  await eventually(
    () => standings(running),
    ({ sent = 0 }) => sent >= 50,
  )
  const { port, taken: first } = relay
  await relay.stop()
  const before = await atRest(running)
  assert.ok((before['sent'] ?? 0) < 300, 'it went away in the middle')
  // Other calls are accepted meanwhile, and their mail waits.
  await sendMail(other, 'somebody@example.com')
  await sendOff(other)
  await sleep(2_000)
  assert.equal(await stateOf(running), 'deployed')
  assert.equal((await fetch(`${testbed.service.url}/readyz`)).status, 200)
  const { sent, pending = 0, taken = 0, unknown = 0, ...more } = await standings(running)
  assert.deepEqual(more, {}, 'nobody is given up for it')
  assert.equal(sent, before['sent'])
  assert.ok(pending + taken > 0 && unknown <= lines, JSON.stringify({ pending, taken, unknown }))

  relay = await startFakeRelay(asTold, port)
  const all = () => [...first, ...relay.taken]
  await eventually(() => all().filter(({ to }) => to === 'somebody@example.com').length, Boolean)
  assert.equal(await awaitState(other, 'completed', 60_000), 'completed')
  assert.equal(await hurried(running), 'completed')
  const ended = await standings(running)
  assert.equal((ended['sent'] ?? 0) + (ended['unknown'] ?? 0), 300)
  assert.deepEqual(await standings(other), { sent: 20 })
  const ids = takenOf(all(), running)
  assert.deepEqual(await twice(first, relay.taken, running), [], 'nobody has it twice')
  assert.ok(ids.length >= (ended['sent'] ?? 0), 'what is told as sent was taken')
})

test('when a relay defers one sender, that sender’s campaign waits and other mail goes out', async () => {
  const slow = await draftTo(testbed, 40)
  const fast = await draftTo(testbed, 40)
  for (const [{ businessId }, domain] of [
    [slow, 'busy.test'],
    [fast, 'fast.test'],
  ] as const) {
    await testbed.db.run(sql`
      update businesses set sender = ${`hello@${domain}`} where id = ${businessId}
    `)
  }
  busy = true
  await sendOff(slow)
  await eventually(
    () => standings(slow),
    ({ taken = 0 }) => taken === 40,
  )
  await sendOff(fast)
  await sendMail(fast, 'buyer@example.com')
  assert.equal(await awaitState(fast, 'completed', 60_000), 'completed')
  assert.deepEqual(await standings(fast), { sent: 40 })
  await eventually(() => relay.taken.some(({ to }) => to === 'buyer@example.com'), Boolean)
  assert.equal(await stateOf(slow), 'deployed')
  assert.deepEqual(await standings(slow), { taken: 40 })

  busy = false
  assert.equal(await hurried(slow), 'completed')
  assert.deepEqual(await standings(slow), { sent: 40 })
  assert.equal(takenOf(relay.taken, slow).length, 40)
})
