import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { approveAndReturn, newPerson } from '../support/clients/sign-in.ts'
import { newHome, packageRoot } from '../support/processes/client-process.ts'
import { startService } from '../support/processes/service.ts'
import { clients } from './clients.ts'
import { aliasPath, businessList, probe, probeScope, toolPath } from './fixtures.ts'
import { type RemoteSession, readKept, startRemote, writeKept } from './mcp-remote-session.ts'
import { endConnection } from './person.ts'
import { runSteps } from './run-steps.ts'
import { assertOwnBusiness } from './tool-call.ts'

const tokensFile = '_tokens.json'

test('mcp-remote has no code for revocation, as the matrix says', async () => {
  const dist = path.join(packageRoot('mcp-remote'), 'dist')
  for (const name of await readdir(dist)) {
    const text = await readFile(path.join(dist, name), 'utf8')
    assert.doesNotMatch(text, /\.revocation_endpoint\b/, name)
  }
})

test('the mcp-remote client completes its steps', async (t) => {
  const service = await startService()
  const home = await newHome()
  const email = newPerson()
  const session: RemoteSession = await startRemote(home, service.url + toolPath)
  t.after(async () => {
    await session.close()
    await home.remove()
    await service.close()
  })
  let address = ''

  const kept = () => readKept(home, tokensFile)
  /** Sets the access token's expiry in the token file to now, and applies `changes`. */
  const age = async (changes: object = {}) =>
    writeKept(home, tokensFile, { ...(await kept()), expires_at: Date.now(), ...changes })
  const callBusinesses = () => session.client.callTool({ name: businessList, arguments: {} })

  await runSteps(t, clients.mcpRemote, {
    async discover() {
      address = await session.nextAddress()
      assert.ok(address.startsWith(`${service.url}/functions/v1/mcp-oauth?`))
    },
    async register() {
      assert.ok((await readKept(home, '_client_info.json'))['client_id'])
    },
    async 'sign in'() {
      const asked = new URL(address).searchParams
      assert.equal(asked.get('code_challenge_method'), 'S256')
      assert.ok(asked.get('state'))
      const page = await approveAndReturn(address, { email, untick: [probeScope] })
      assert.equal(page.status, 200)
      await session.ready
      assert.ok(
        !String((await kept())['scope'])
          .split(' ')
          .includes(probeScope),
      )
    },
    async call() {
      const { tools } = await session.client.listTools()
      assert.ok(tools.some((tool) => tool.name === businessList))
      assertOwnBusiness(await callBusinesses())
      const alias = await newHome()
      const other = await startRemote(alias, service.url + aliasPath)
      try {
        await approveAndReturn(await other.nextAddress(), { email })
        await other.ready
        assertOwnBusiness(await other.client.callTool({ name: businessList, arguments: {} }))
      } finally {
        await other.close()
        await alias.remove()
      }
    },
    async 'step up'() {
      const answer = session.client.callTool({ name: probe, arguments: {} })
      const again = await session.nextAddress()
      assert.ok(new URL(again).searchParams.get('scope')?.split(' ').includes(probeScope))
      await approveAndReturn(again, { email })
      assert.ok((await answer).structuredContent)
    },
    async refresh() {
      const before = await kept()
      await age()
      assertOwnBusiness(await callBusinesses())
      const after = await kept()
      assert.notEqual(after['refresh_token'], before['refresh_token'])
      assert.notEqual(after['access_token'], before['access_token'])
    },
    async reuse() {
      const old = await kept()
      await age()
      assertOwnBusiness(await callBusinesses())
      const newest = await kept()
      await age({ refresh_token: old['refresh_token'] })
      assertOwnBusiness(await callBusinesses())
      assert.match(session.printed(), /Proactive token refresh failed/)
      assert.equal((await kept())['refresh_token'], old['refresh_token'])
      await writeKept(home, tokensFile, { ...newest, expires_at: Date.now() })
      assertOwnBusiness(await callBusinesses())
      assert.notEqual((await kept())['refresh_token'], newest['refresh_token'])
    },
    async 'cut off'() {
      const clientId = String((await readKept(home, '_client_info.json'))['client_id'])
      await endConnection(service.url, clientId, String((await kept())['refresh_token']))
      const lost = callBusinesses()
      // Nobody follows the address this time, so the call stays open until the session closes.
      lost.catch(() => undefined)
      assert.ok((await session.nextAddress()).startsWith(service.url))
    },
  })
})
