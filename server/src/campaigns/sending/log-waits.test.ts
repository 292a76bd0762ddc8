import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  deployPlanned,
  openCampaignTestbed,
} from '../../../../tests/support/businesses/campaigns.ts'
import { keptLog } from '../../../../tests/support/kept-log.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { formatId, parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Job } from '../../lib/jobs/job.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { waitLogJobs } from './log-waits.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

test('the log says once what a campaign waits for, and when it waits no more', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(3)
  const limit = { key: 'deploy_limit', value: '1', now: new Date() }
  await setBusiness(testbed.db, scene.businessId, limit)
  const { campaign_id } = await scene.draft()
  await deployPlanned(scene.owner, { campaign_id })
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const { campaign_id: later } = await scene.draft()
  await setBusiness(testbed.db, scene.businessId, { ...limit, value: '1000' })
  await deployPlanned(scene.owner, { campaign_id: later, send_at })

  const { log, lines } = keptLog()
  const kind = waitLogJobs({ db: testbed.db, clock: systemClock, log })['campaign.log-waits']
  const look = () => kind?.run({} as Job, new AbortController().signal)
  await look()
  await look()
  const business = formatId('business', scene.businessId)
  const level = 'info' as const
  assert.deepEqual(
    new Set(lines),
    new Set([
      {
        level,
        event: 'campaign.waits',
        facts: { business, campaign: campaign_id, for: 'approval', until: null },
      },
      {
        level,
        event: 'campaign.waits',
        facts: { business, campaign: later, for: 'send_at', until: new Date(send_at) },
      },
    ]),
  )
  assert.equal(lines.length, 2, 'each once')
  await scene.owner.get('campaign.cancel', { campaign_id: later })
  await look()
  assert.deepEqual(lines.slice(2), [
    {
      level,
      event: 'campaign.waits_no_more',
      facts: { business, campaign: later, for: 'send_at' },
    },
  ])
})

test('of more than the log has room for the newest are told of, and once that there are more', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(3)
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const scheduled = async () => {
    const { campaign_id } = await scene.draft()
    await deployPlanned(scene.owner, { campaign_id, send_at })
    return campaign_id
  }
  const [older, newer] = [await scheduled(), await scheduled()]
  const { log, lines } = keptLog()
  const deps = { db: testbed.db, clock: systemClock, log, limit: 1 }
  const kind = waitLogJobs(deps)['campaign.log-waits']
  const look = () => kind?.run({} as Job, new AbortController().signal)
  const entries = () => lines.map(({ event, facts }) => [event, facts['campaign'] ?? facts['most']])
  await look()
  await look()
  assert.deepEqual(entries(), [
    ['campaign.more_wait', 1],
    ['campaign.waits', newer],
  ])
  const newest = await scheduled()
  await look()
  assert.deepEqual(
    entries().slice(2),
    [['campaign.waits', newest]],
    'the one before it still waits',
  )
  await scene.owner.get('campaign.cancel', { campaign_id: newest })
  await scene.owner.get('campaign.cancel', { campaign_id: newer })
  await look()
  assert.deepEqual(entries().slice(3), [
    ['campaign.waits', older],
    ['campaign.waits_no_more', newest],
  ])
})

test('what a person paused is not looked at, and what waits for a person’s yes is', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(3)
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  const { campaign_id: older } = await scene.draft()
  await deployPlanned(scene.owner, { campaign_id: older, send_at })
  const { campaign_id } = await scene.draft()
  await deployPlanned(scene.owner, { campaign_id, send_at })
  const { log, lines } = keptLog()
  const pausedFor = async (reason: string) => {
    await testbed.db.run(sql`
      update campaigns set state = 'paused', pause_reason = ${reason}
      where business_id = ${scene.businessId} and id = ${parseId('campaign', campaign_id) ?? null}
    `)
    // With room for one alone: a paused one would take it.
    const kind = waitLogJobs({ db: testbed.db, clock: systemClock, log, limit: 1 })
    await kind['campaign.log-waits']?.run({} as Job, new AbortController().signal)
    return lines.splice(0).filter(({ event }) => event === 'campaign.waits')
  }
  const [approval] = await pausedFor('approval')
  assert.deepEqual([approval?.facts['campaign'], approval?.facts['for']], [campaign_id, 'approval'])
  const [other] = await pausedFor('person')
  assert.equal(other?.facts['campaign'], older, 'an older one has its place')
})
