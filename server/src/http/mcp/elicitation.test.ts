/** Pages that a person has to open, asked for by the official clients of both eras. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as mcp from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { type OwnTestbed, openTestbed } from '../../../../tests/operations/support/testbed.ts'
import { campaignScene } from '../../../../tests/support/businesses/campaigns.ts'
import { newGrant, tokenMint } from '../../../../tests/support/clients/grants.ts'
import { setBusiness } from '../../accounts/settings/settings.ts'
import { formatId, newId } from '../../core/ids.ts'

let testbed: OwnTestbed
before(async () => {
  testbed = await openTestbed({ idle: true })
})
after(() => testbed.close())

/** A campaign of a business whose orders wait for a person, and a token of an app. */
async function waitingCampaign() {
  const scene = await campaignScene(testbed)
  const { businessId } = scene
  await setBusiness(testbed.db, businessId, { key: 'deploy_limit', value: '0', now: new Date() })
  await scene.subscribers(2)
  const { campaign_id } = await scene.draft()
  const plan = await scene.owner.get<{ plan_hash: string }>('campaign.preview', { campaign_id })
  const grant = await newGrant(testbed.db, { businesses: [businessId], takesDataOut: false })
  const token = await tokenMint(testbed.service)(grant)
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  const order = { campaign_id, plan_hash: plan.plan_hash }
  return { requestInit, order, campaign_id, owner: scene.owner }
}

const deploy = 'svc_v1_campaign_deploy'
const url = () => new URL(testbed.service.endpoint)

interface Answer {
  structuredContent?: { status?: string; approval_url?: string; code?: string }
}

async function legacyClient(
  requestInit: { headers: Record<string, string> },
  capabilities: object,
  questions: unknown[],
) {
  const client = new Client({ name: 'test', version: '1' }, { capabilities })
  if ('elicitation' in capabilities) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      questions.push(params)
      return { action: 'accept' }
    })
  }
  await client.connect(new StreamableHTTPClientTransport(url(), { requestInit }))
  return client
}

test('a client of 2025-11-25 that opens addresses is asked ahead of the answer', async () => {
  const { requestInit, order } = await waitingCampaign()
  const questions: { mode?: string; url?: string }[] = []
  const client = await legacyClient(requestInit, { elicitation: { url: {} } }, questions)
  const answer = (await client.callTool({ name: deploy, arguments: order })) as Answer
  assert.equal(answer.structuredContent?.status, 'awaiting_approval')
  assert.deepEqual(
    questions.map(({ mode, url: page }) => [mode, page]),
    [['url', answer.structuredContent?.approval_url]],
  )
  await client.close()
})

test('a client that does not open addresses, or a plain one, finds the address in the answer', async () => {
  for (const capabilities of [{}, { elicitation: {} }]) {
    const { requestInit, order } = await waitingCampaign()
    const questions: unknown[] = []
    const client = await legacyClient(requestInit, capabilities, questions)
    const answer = (await client.callTool({ name: deploy, arguments: order })) as Answer
    assert.match(answer.structuredContent?.approval_url ?? '', /^http/)
    assert.deepEqual(questions, [])
    await client.close()
  }
  const { requestInit, order } = await waitingCampaign()
  await (await legacyClient(requestInit, { elicitation: { url: {} } }, [])).close()
  // It says that it opens addresses, but takes no event stream.
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: deploy, arguments: order },
  }
  const response = await fetch(url(), {
    method: 'POST',
    headers: {
      ...requestInit.headers,
      'content-type': 'application/json',
      accept: 'application/json',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify(body),
  })
  assert.match(response.headers.get('content-type') ?? '', /^application\/json/)
  assert.match(await response.text(), /approval_url/)
})

async function modernClient(
  requestInit: { headers: Record<string, string> },
  questions: { mode?: string; url?: string }[],
) {
  const client = new mcp.Client(
    { name: 'test', version: '1' },
    {
      capabilities: { elicitation: { url: {} } },
      versionNegotiation: { mode: { pin: '2026-07-28' } },
    },
  )
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    questions.push(params as { mode?: string; url?: string })
    return { action: 'accept' }
  })
  await client.connect(new mcp.StreamableHTTPClientTransport(url(), { requestInit }))
  return client
}

test('a client of 2026-07-28 is asked in place of the answer, and gets it when it calls again', async () => {
  const { requestInit, order } = await waitingCampaign()
  const questions: { mode?: string; url?: string }[] = []
  const client = await modernClient(requestInit, questions)
  const answer = (await client.callTool({ name: deploy, arguments: order })) as Answer
  assert.equal(answer.structuredContent?.status, 'awaiting_approval')
  assert.deepEqual(
    questions.map(({ mode, url: page }) => [mode, page]),
    [['url', answer.structuredContent?.approval_url]],
  )
  await client.close()
})

test('what an app may not take out is asked for by its page, and refused while nobody did it', async () => {
  const { requestInit } = await waitingCampaign()
  const questions: { mode?: string; url?: string }[] = []
  const client = await modernClient(requestInit, questions)
  const call = { name: 'svc_v1_export_create', arguments: {} }
  const answer = (await client.callTool(call)) as Answer
  assert.equal(answer.structuredContent?.code, 'access_denied')
  assert.match(questions[0]?.url ?? '', /\/b\/bus_\w+\/contacts$/)
  await client.close()
})

/** A call by a client of 2026-07-28 that opens addresses, as it stands on the wire. */
async function callBare(
  headers: Record<string, string>,
  params: { name: string; arguments: object; [more: string]: unknown },
) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: { url: {} } },
  }
  const response = await fetch(url(), {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': params.name,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { _meta: meta, ...params },
    }),
  })
  return (await response.json()) as {
    result?: { resultType: string; requestState?: string } & Answer
    error?: { code: number }
  }
}

test('the state of a question is of its connection and tool alone', async () => {
  const { requestInit, order } = await waitingCampaign()
  const ask = (headers: Record<string, string>, params: object, name = deploy) =>
    callBare(headers, { name, arguments: order, ...params })
  const { result } = await ask(requestInit.headers, {})
  assert.equal(result?.resultType, 'input_required')
  const state = {
    requestState: result.requestState,
    inputResponses: { approval: { action: 'accept' } },
  }
  const stranger = await waitingCampaign()
  assert.equal((await ask(stranger.requestInit.headers, state)).error?.code, -32602)
  assert.equal((await ask(requestInit.headers, state, 'svc_v1_campaign_get')).error?.code, -32602)
  const changed = { ...state, requestState: `x${result.requestState}` }
  assert.equal((await ask(requestInit.headers, changed)).error?.code, -32602)
  assert.equal((await ask(requestInit.headers, state)).result?.resultType, 'complete')
})

test('an answer too long for a state comes at once, with the address of the page', async () => {
  const { requestInit, owner } = await waitingCampaign()
  const { contacts } = await owner.get<{ contacts: { contact_id: string }[] }>('contact.list')
  const mail = { subject: 'Hi', text: 'Hello' }
  const strangers = Array.from({ length: 499 }, () => formatId('contact', newId('contact')))
  const emails = [
    { ...mail, contact_id: contacts[0]?.contact_id },
    ...strangers.map((contact_id) => ({ ...mail, contact_id })),
  ]
  const call = { name: 'svc_v1_message_propose', arguments: { emails } }
  const { result } = await callBare(requestInit.headers, call)
  assert.equal(result?.resultType, 'complete')
  assert.match(result.structuredContent?.approval_url ?? '', /^http/)
})
