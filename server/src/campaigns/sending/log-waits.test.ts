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
import { formatId } from '../../core/ids.ts'
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
