/** Notifications of progress, as an official client receives them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { manyContacts } from '../../../../tests/support/businesses/campaign-drafts.ts'
import { campaignScene } from '../../../../tests/support/businesses/campaigns.ts'
import { newGrant, tokenMint } from '../../../../tests/support/clients/grants.ts'
import { progressWait } from './progress.ts'

/** On a busy machine. */
const patienceMs = 300_000

let testbed: OwnTestbed
before(async () => {
  progressWait.longestMs = patienceMs
  testbed = await openTestbed({ settings: { CANARY_SECONDS: '0' } })
})
after(() => testbed.close())

interface Progress {
  progress: number
  total?: number | undefined
}

async function connected(people: number) {
  const scene = await campaignScene(testbed)
  const { businessId } = scene
  await manyContacts(testbed.db, businessId, people)
  const grant = await newGrant(testbed.db, { businesses: [businessId] })
  const headers = { authorization: `Bearer ${await tokenMint(testbed.service)(grant)}` }
  const client = new Client({ name: 'test', version: '1' })
  const address = new URL(testbed.service.endpoint)
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
  const call = async (name: string, input: Record<string, unknown>, steps?: Progress[]) => {
    const onprogress = (step: Progress) => void steps?.push(step)
    const options = steps && { onprogress, timeout: 2 * patienceMs }
    const answer = await client.callTool({ name, arguments: input }, undefined, options)
    return answer.structuredContent as Record<string, unknown>
  }
  return { ...scene, client, call, headers }
}

/** Each is further than the one before. */
function assertGrows(steps: readonly Progress[], total: number): void {
  assert.ok(steps.length > 0)
  assert.ok(steps.every(({ total: of }) => of === undefined || of === total))
  for (const [i, { progress }] of steps.entries()) {
    assert.ok(progress <= total && progress > (steps[i - 1]?.progress ?? -1))
  }
  assert.equal(steps.at(-1)?.progress, total)
}

test('a client that asks for progress gets it, and the answer of a tagging at its end', async () => {
  const { call, client } = await connected(2_500)
  const input = { filter: { consent: 'email', is: 'subscribed' }, add: ['vip'] }
  const tool = 'svc_v1_contact_tag'
  const steps: Progress[] = []
  const done = await call(tool, input, steps)
  assert.deepEqual([done['state'], done['changed']], ['done', 2_500])
  assertGrows(steps, 2_500)
  const begun = await call(tool, { ...input, add: ['dear'] })
  assert.equal(begun['state'], 'running')
  await client.close()
})

test('a client that asks for progress follows a campaign that it sends', async () => {
  const { call, client, owner, draft } = await connected(30)
  const { campaign_id } = await draft()
  const { plan_hash } = await owner.get<{ plan_hash: string }>('campaign.preview', { campaign_id })
  const steps: Progress[] = []
  const answer = await call('svc_v1_campaign_deploy', { campaign_id, plan_hash }, steps)
  assert.equal(answer['campaign_id'], campaign_id)
  assertGrows(steps.slice(-1), 30)
  const { status } = await owner.get<{ status: string }>('campaign.get', { campaign_id })
  assert.equal(status, 'completed')
  await client.close()
})

test('a call whose client takes no event stream is answered at once', async () => {
  const { headers, client } = await connected(10)
  await client.close()
  const input = { filter: { consent: 'email', is: 'subscribed' }, add: ['vip'] }
  const meta = { progressToken: 1 }
  const params = { name: 'svc_v1_contact_tag', arguments: input, _meta: meta }
  const response = await fetch(testbed.service.endpoint, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  assert.match(await response.text(), /"state":"running"/)
})
