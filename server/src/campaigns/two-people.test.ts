/** Who may resume what nobody approved: a campaign that grew, and messages sent again. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OwnTestbed, openTestbed } from '../../../tests/operations/support/testbed.ts'
import { sendOff } from '../../../tests/support/businesses/campaign-drafts.ts'
import { awaitState, draftTo } from '../../../tests/support/businesses/campaign-runs.ts'
import { campaignScene } from '../../../tests/support/businesses/campaigns.ts'
import { eventually } from '../../../tests/support/time/eventually.ts'
import { setBusiness } from '../accounts/settings/settings.ts'
import { type Id, parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import { pauseLane, resumeLane } from '../lib/jobs/lanes.ts'
import { freezeJob } from './sending/campaign-job.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({})
})
after(() => testbed.close())

const limitTo = (businessId: Id<'business'>, value: string) =>
  setBusiness(testbed.db, businessId, { key: 'deploy_limit', value, now: new Date() })

const askForTwo = (businessId: Id<'business'>) =>
  testbed.db.run(sql`update businesses set two_people = true where id = ${businessId}`)

const admin = (businessId: Id<'business'>) =>
  testbed.appCaller({ businesses: [businessId], role: 'admin' })

interface Shown {
  status: string
  pause_reason: string | null
}

test('a campaign that grew beyond the unapproved limit before the freeze waits for a person to resume it', async () => {
  const scene = await campaignScene(testbed)
  const { businessId, owner } = scene
  await scene.subscribers(3)
  await limitTo(businessId, '3')
  await askForTwo(businessId)
  const [person, other] = [await admin(businessId), await admin(businessId)]
  const { campaign_id } = await scene.draft()
  // The freeze waits until the new subscribers exist.
  const freezing = { kind: freezeJob, businessId, lane: parseId('campaign', campaign_id) ?? '' }
  await pauseLane(testbed.db, freezing, new Date())
  const { status } = await person.get<Shown>('campaign.deploy', { campaign_id })
  assert.equal(status, 'deployed', 'as many as may go unapproved')
  await scene.subscribers(5)
  await resumeLane(testbed.db, freezing, new Date())
  const get = () => owner.get<Shown>('campaign.get', { campaign_id })
  const paused = await eventually(get, ({ status }) => status === 'paused')
  assert.equal(paused.pause_reason, 'approval')
  const byApp = await scene.refused('campaign.resume', { campaign_id })
  assert.deepEqual([byApp.code, byApp['reason']], ['conflict', 'approval_limit'])
  const own = await person.call('campaign.resume', { campaign_id })
  assert.deepEqual([own.body['code'], own.body['reason']], ['conflict', 'two_people'])
  await other.get('campaign.resume', { campaign_id })
  await eventually(get, ({ status }) => status === 'completed')
  const decided = await testbed.db.one<object>(sql`
    select c.approval, c.unapproved, c.decided_by <> c.ordered_by as by_another,
      (select count(*)::int from audit_entries a where a.business_id = c.business_id
        and a.action = 'campaign.approve') as audited
    from campaigns c where c.business_id = ${businessId}
  `)
  assert.deepEqual(decided, { approval: 'approved', unapproved: 0, by_another: true, audited: 1 })
})

test('a resend counts towards the limit, unless a person who may approve requests it', async () => {
  const running = await draftTo(testbed, 6)
  const { businessId, campaignId, name: campaign_id, scene } = running
  await sendOff(running)
  assert.equal(await awaitState(running, 'completed'), 'completed')
  await testbed.db.run(sql`
    update campaign_recipients set state = 'unknown' where campaign_id = ${campaignId}
  `)
  // Six people were reached, so one more may be.
  await limitTo(businessId, '7')
  const all = { campaign_id, all: true }
  const refusal = await scene.refused('campaign.resend', all)
  assert.deepEqual([refusal.code, refusal['reason']], ['conflict', 'approval_limit'])
  const person = await admin(businessId)
  await askForTwo(businessId)
  const own = await person.call('campaign.resend', all)
  assert.equal(own.body['reason'], 'approval_limit', 'one person is not two')
  await testbed.db.run(sql`update businesses set two_people = false where id = ${businessId}`)
  assert.equal((await person.get<{ resent: number }>('campaign.resend', all)).resent, 6)
})
