/** The automatic pause by complaints, from the report to the pause, its reason and its notices. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  sendOff,
  standings,
  stateOf,
} from '../../../../tests/support/businesses/campaign-drafts.ts'
import {
  awaitState,
  countsOf,
  draftTo,
} from '../../../../tests/support/businesses/campaign-runs.ts'
import { eventsOf } from '../../../../tests/support/businesses/contacts.ts'
import { PageVisitor } from '../../../../tests/support/clients/page-visitor.ts'
import { eventually } from '../../../../tests/support/time/eventually.ts'
import { formatId, type Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed()
})
after(() => testbed.close())

/** The campaign's mail in the built-in inbox. */
const arrived = (campaignId: Id<'campaign'>) =>
  testbed.db.all<{ id: Id<'mail'> }>(sql`
    select i.id from inbox_messages i join messages m on m.id = i.message_id
    where m.campaign_id = ${campaignId} order by i.id
  `)

test('complaints about the first messages pause a campaign, and a person can resume it', async () => {
  const running = await draftTo(testbed, 120)
  const { businessId, campaignId, name: campaign_id, scene } = running
  await testbed.db.run(sql`
    update campaigns set throttle_per_minute = 150 where id = ${campaignId}
  `)
  await sendOff(running)
  const mails = await eventually(
    () => arrived(campaignId),
    (all) => all.length >= 3,
  )
  const visitor = new PageVisitor(testbed.service.app.server, new URL(testbed.service.url).host)
  const complain = async ({ id }: { id: Id<'mail'> }) => {
    const page = await visitor.get(`/inbox/${formatId('mail', id)}`)
    const button = page.forms.find(({ action }) => action.endsWith('/complain'))
    assert.match((await visitor.submit(page, {}, {}, button)).to ?? '', /done=complain/)
  }
  const [first, second] = mails
  assert.ok(first && second)
  await complain(first)
  assert.equal(await stateOf(running), 'deployed')
  await complain(second)
  assert.equal(await awaitState(running, 'paused'), 'paused')

  const shown = await scene.owner.get<object>('campaign.get', { campaign_id })
  assert.partialDeepStrictEqual(shown, { status: 'paused', pause_reason: 'complaint_rate' })
  const told = (await eventsOf(testbed.db, businessId)).filter(
    ({ type }) => type === 'campaign.paused',
  )
  assert.deepEqual(
    told.map(({ data }) => data['reason']),
    ['complaint_rate'],
  )
  const before = await standings(running)
  assert.ok((before['pending'] ?? 0) > 50, JSON.stringify(before))

  await testbed.db.run(
    sql`update campaigns set throttle_per_minute = null where id = ${campaignId}`,
  )
  await scene.owner.get('campaign.resume', { campaign_id })
  assert.equal(await awaitState(running, 'completed'), 'completed')
  assert.deepEqual(await standings(running), { sent: 120 })
  assert.equal((await countsOf(running))['complained'], 2)
})
