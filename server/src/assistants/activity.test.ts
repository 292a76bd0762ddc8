import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { OwnTestbed } from '../../../tests/operations/support/testbed.ts'
import {
  campaignScene,
  deployPlanned,
  openCampaignTestbed,
} from '../../../tests/support/businesses/campaigns.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openCampaignTestbed()
})
after(() => testbed.close())

interface Activity {
  complete: boolean
  connections: {
    connection_id: string
    groups: {
      operation: string
      count: number
      items: {
        id: string | null
        undo: { tool: string; arguments: Record<string, string> } | null
      }[]
    }[]
  }[]
}

test('a connection reads what it did, and its undo calls take it back', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(12)
  const form = { name: 'Talk', fields: [{ key: 'email', label: 'Email', type: 'email' }] }
  const { form_id } = await scene.owner.get<{ form_id: string }>('form.save', form)
  const { campaign_id } = await scene.draft()
  const send_at = new Date(Date.now() + 3_600_000).toISOString()
  await deployPlanned(scene.owner, { campaign_id, send_at })

  const done = await scene.owner.get<Activity>('meta.activity')
  assert.ok(done.complete)
  assert.equal(done.connections.length, 1)
  const groupOf = ({ connections }: Activity, operation: string) =>
    connections[0]?.groups.find((group) => group.operation === operation)
  const created = groupOf(done, 'contact.created')
  assert.deepEqual([created?.count, created?.items.length], [12, 10])
  assert.match(created?.items[0]?.id ?? '', /^con_/)
  assert.equal(groupOf(done, 'form.save')?.items[0]?.id, form_id)
  const undo = groupOf(done, 'campaign.deploy')?.items[0]?.undo
  assert.deepEqual(undo, { tool: 'campaign.unschedule', arguments: { campaign_id } })
  await scene.owner.get(undo.tool, undo.arguments)
  const { status } = await scene.owner.get<{ status: string }>('campaign.get', { campaign_id })
  assert.equal(status, 'draft')
  const after = await scene.owner.get<Activity>('meta.activity')
  assert.equal(groupOf(after, 'campaign.deploy')?.items[0]?.undo, null)

  const later = new Date(Date.now() + 60_000).toISOString()
  const none = await scene.owner.get<Activity>('meta.activity', { since: later })
  assert.deepEqual(none.connections, [])
})

test('owners see every connection, others their own alone', async () => {
  const scene = await campaignScene(testbed)
  await scene.subscribers(1)
  const businesses = [scene.businessId]
  const editor = await testbed.caller({ businesses, role: 'editor' })
  await editor.get('contact.upsert', { email: 'other@example.com' })
  const own = await editor.get<Activity>('meta.activity')
  assert.equal(own.connections.length, 1)
  const all = await scene.owner.get<Activity>('meta.activity', { all: true })
  assert.equal(all.connections.length, 2)
  assert.equal((await editor.call('meta.activity', { all: true })).body['code'], 'role_required')
  const mine = own.connections[0]?.connection_id
  const other = all.connections.find(({ connection_id }) => connection_id !== mine)
  const query = { connection_id: other?.connection_id }
  assert.equal((await editor.call('meta.activity', query)).body['code'], 'not_found')
  assert.equal((await scene.owner.get<Activity>('meta.activity', query)).connections.length, 1)

  const approver = await testbed.appCaller({ businesses, role: 'approver' })
  const seen = await approver.get<Activity>('meta.activity', { connection_id: mine })
  assert.equal(seen.connections.length, 1)
  const viewer = await testbed.appCaller({ businesses, role: 'viewer' })
  assert.deepEqual((await viewer.get<Activity>('meta.activity')).connections, [])
  const foreign = await campaignScene(testbed)
  const theirs = await foreign.owner.get<Activity>('meta.activity', { all: true })
  assert.deepEqual(theirs.connections, [])
})

test('a moment that is none is refused', async () => {
  const scene = await campaignScene(testbed)
  const refusal = await scene.refused('meta.activity', { since: 'yesterday' })
  assert.deepEqual([refusal.code, refusal.field], ['invalid_request', 'since'])
})
