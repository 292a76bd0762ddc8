import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  news,
  openCampaignTestbed,
} from '../../../tests/support/businesses/campaigns.ts'
import { parseId } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

interface Page {
  campaigns: {
    campaign_id: string
    status: string
    name: string
    subject: string | null
    results: { sent: number; opened: number; clicked: number } | null
  }[]
  next_cursor?: string
}

test('campaigns are listed newest first, in pages, and by status', async () => {
  const { owner, draft } = await campaignScene(testbed)
  const made: string[] = []
  for (const name of ['one', 'two', 'three']) made.push((await draft({ name })).campaign_id)
  const first = await owner.get<Page>('campaign.list', { limit: 2 })
  const second = await owner.get<Page>('campaign.list', { limit: 2, cursor: first.next_cursor })
  const ids = [...first.campaigns, ...second.campaigns].map(({ campaign_id }) => campaign_id)
  assert.deepEqual(ids, made.toReversed())
  assert.equal(second.next_cursor, undefined)
  const deployed = await owner.get<Page>('campaign.list', { status: 'deployed' })
  assert.deepEqual(deployed.campaigns, [])
})

test('campaigns are found by a part of their name or subject, and of no other business', async () => {
  const { owner, draft, refused } = await campaignScene(testbed)
  const stranger = await campaignScene(testbed)
  await stranger.draft({ name: 'Grüner Tee' })
  const { campaign_id } = await draft({ name: 'Grüner Tee' })
  await owner.get('campaign.save', { campaign_id, content: { ...news, subject: '100 % Matcha_2' } })
  await draft({ name: 'Something else' })
  const found = async (q: string) => {
    const { campaigns } = await owner.get<Page>('campaign.list', { q })
    return campaigns.map(({ name, subject }) => [name, subject])
  }
  const tea = [['Grüner Tee', '100 % Matcha_2']]
  for (const part of ['grüner', 'ER T', 'matcha', '% m', 'cha_2']) {
    assert.deepEqual(await found(part), tea, part)
  }
  for (const part of ['%', '100_', 'Matcha 2']) {
    assert.deepEqual(await found(part), part === '%' ? tea : [], part)
  }
  const long = await refused('campaign.list', { q: 'a'.repeat(201) })
  assert.deepEqual([long.code, long.field], ['invalid_request', 'q'])
})

test('campaigns are listed by when they go out or went out, with what came of them', async () => {
  const scene = await campaignScene(testbed)
  const { owner, businessId, refused } = scene
  const id = parseId('campaign', (await scene.draft({ name: 'Sent' })).campaign_id)
  const waiting = parseId('campaign', (await scene.draft({ name: 'Waiting' })).campaign_id)
  await scene.draft({ name: 'Draft' })
  const { db } = testbed
  await db.run(sql`
    update campaigns set deployed_at = '2026-10-31T23:30:00Z', send_at = '2026-10-01T00:00:00Z'
    where business_id = ${businessId} and id = ${id}`)
  await db.run(sql`
    update campaigns set send_at = '2026-11-30T09:00:00Z'
    where business_id = ${businessId} and id = ${waiting}`)
  await db.run(sql`
    insert into campaign_counts (business_id, campaign_id, variant, metric, slot, amount)
    values (${businessId}, ${id}, 0, 'sent', 0, 30), (${businessId}, ${id}, 1, 'sent', 3, 10),
      (${businessId}, ${id}, 0, 'opened', 0, 8), (${businessId}, ${id}, 0, 'skipped:erased', 0, 5)`)
  const between = async (since?: string, until?: string) => {
    const { campaigns } = await owner.get<Page>('campaign.list', {
      view: 'full',
      ...(since && { since }),
      ...(until && { until }),
    })
    return campaigns.map(({ name, results }) => [name, results])
  }
  const sent = ['Sent', { sent: 40, opened: 8, clicked: 0 }]
  assert.deepEqual(await between('2026-10-31T23:30:00Z', '2026-11-01T00:00:00Z'), [sent])
  assert.deepEqual(await between('2026-10-31T23:30:01Z'), [['Waiting', null]])
  assert.deepEqual(await between(undefined, '2026-11-30T10:00:00+01:00'), [sent])
  assert.deepEqual(await between(), [['Draft', null], ['Waiting', null], sent])
  const { code, field } = await refused('campaign.list', { since: '2026-02-30' })
  assert.deepEqual([code, field], ['invalid_request', 'since'])
})

test('another business’s campaign is reported as not found', async () => {
  const one = await campaignScene(testbed)
  const other = await campaignScene(testbed)
  const { campaign_id } = await one.draft()
  for (const operation of ['campaign.get', 'campaign.preview']) {
    const { code, message } = await other.refused(operation, { campaign_id })
    assert.equal(code, 'not_found')
    assert.equal(message, `This business has no campaign ${campaign_id}.`)
  }
})
