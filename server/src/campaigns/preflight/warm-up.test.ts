import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { sendOff } from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  draftTo,
  type Running,
  relaySettings,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import { type FakeRelay, startFakeRelay } from '../../../../tests/support/mail/fake-relay.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { recordActivity } from '../../contacts/timeline/activity.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { days, later } from '../../lib/time/clock.ts'

let relay: FakeRelay
let testbed: OwnTestbed
before(async () => {
  relay = await startFakeRelay()
  testbed = await openTestbed(relaySettings(relay.url('?pool=1')))
})
after(async () => {
  await testbed.close()
  await relay.stop()
})

interface WarmUpShown {
  recipients: number
  warm_up?: { days: number; providers: { provider: string; recipients: number; days: number }[] }
}
const previewOf = ({ scene, name }: Running) =>
  scene.owner.get<WarmUpShown>('campaign.preview', { campaign_id: name })

test('while a sender warms up, those who clicked or opened lately get a campaign first', async () => {
  const running = await draftTo(testbed, 8)
  const { businessId } = running
  const people = await testbed.db.all<{ id: Id<'contact'>; email: string }>(sql`
    select id, email from contacts where business_id = ${businessId} order by id
  `)
  const read = (place: number, type: string, daysAgo: number, machine = false) => {
    const contactId = people[place]?.id as Id<'contact'>
    const at = later(new Date(), -days(daysAgo))
    const row = { businessId, contactId, type, details: {}, subject: { machine } }
    return testbed.db.tx((tx) => recordActivity(tx, [row], at))
  }
  await read(5, 'message.opened', 1)
  await read(3, 'message.opened', 2)
  await read(7, 'message.clicked', 80)
  await read(6, 'message.opened', 1, true)
  await read(4, 'message.clicked', 91)
  await sendOff(running)
  await eventually(
    async () => relay.taken.length,
    (n) => n === 8,
  )
  // The order in which messages are made; on a busy machine the relay may receive them in another.
  const made = await testbed.db.all<{ contactId: string }>(sql`
    select contact_id as "contactId" from messages where business_id = ${businessId} order by id
  `)
  const order = made.map(({ contactId }) => people.findIndex(({ id }) => id === contactId))
  assert.deepEqual(order.slice(0, 3), [7, 5, 3])
  assert.deepEqual(order.slice(3), [0, 1, 2, 4, 6])
  assert.equal(await awaitState(running, 'completed'), 'completed')
})

test('the plan tells the days that a campaign takes while its sender is new to a provider', async () => {
  const small = await draftTo(testbed, 150)
  assert.equal((await previewOf(small)).warm_up, undefined)
  const running = await draftTo(testbed, 760)
  await testbed.db.run(sql`
    update contacts set email = split_part(email, '@', 1) || case
      when right(split_part(email, '@', 1), 1) in ('1', '2', '3') then '@shop.test'
      when right(split_part(email, '@', 1), 1) = '4' then '@googlemail.com'
      else '@GMAIL.com' end
    where business_id = ${running.businessId}
  `)
  const { recipients, warm_up } = await previewOf(running)
  assert.equal(recipients, 760)
  assert.deepEqual(warm_up, {
    days: 2,
    providers: [
      { provider: 'gmail', recipients: 532, days: 2 },
      { provider: 'shop.test', recipients: 228, days: 2 },
    ],
  })
})
