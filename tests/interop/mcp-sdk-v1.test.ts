import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as authModule from '@modelcontextprotocol/sdk/client/auth.js'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InvalidGrantError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { newPerson } from '../support/clients/sign-in.ts'
import { startService } from '../support/processes/service.ts'
import { clients } from './clients.ts'
import { aliasPath, businessList, probe, probeScope, toolPath } from './fixtures.ts'
import { KeptProvider } from './kept-provider.ts'
import { endConnection, followAsApp } from './person.ts'
import { runSteps } from './run-steps.ts'
import { assertOwnBusiness } from './tool-call.ts'

const { auth, extractWWWAuthenticateParams, refreshAuthorization, UnauthorizedError } = authModule

test('the MCP SDK v1 client completes its steps', async (t) => {
  const service = await startService()
  t.after(() => service.close())
  const email = newPerson()
  const app = new KeptProvider('MCP SDK v1')
  let challenge: { scope?: string; error?: string } = {}

  const remember: typeof fetch = async (input, init) => {
    const answer = await fetch(input, init)
    if (answer.status === 403) challenge = extractWWWAuthenticateParams(answer)
    return answer
  }
  const transportTo = (path = toolPath) =>
    new StreamableHTTPClientTransport(new URL(path, service.url), {
      authProvider: app,
      fetch: remember,
    })
  /** Connects, uses the client, and closes it whatever happens. */
  const connected = async <T>(use: (client: Client) => Promise<T>, path = toolPath): Promise<T> => {
    const client = new Client({ name: 'interop', version: '1.0.0' })
    try {
      // The SDK's own types do not support exactOptionalPropertyTypes.
      await client.connect(transportTo(path) as Parameters<Client['connect']>[0])
      return await use(client)
    } finally {
      await client.close()
    }
  }
  const callBusinesses = (path = toolPath) =>
    connected((client) => client.callTool({ name: businessList, arguments: {} }), path)
  // The probe is not listed, so a host reaches it through `meta.call`.
  const callProbe = () => {
    const call = { name: 'svc_v1_meta_call', arguments: { tool: probe } }
    return connected((client) => client.callTool(call))
  }

  await runSteps(t, clients.sdkV1, {
    async discover() {
      await assert.rejects(callBusinesses(), UnauthorizedError)
      assert.equal(app.discovery?.authorizationServerUrl, service.url)
      assert.equal(app.discovery?.resourceMetadata?.resource, service.url + toolPath)
    },
    async register() {
      assert.ok(app.client?.client_id)
    },
    async 'sign in'() {
      const { code } = await followAsApp(app, { email, untick: [probeScope] }, service.url)
      await transportTo().finishAuth(code)
      assert.ok(!app.kept?.scope?.split(' ').includes(probeScope))
    },
    async call() {
      const { tools } = await connected((client) => client.listTools())
      assert.ok(tools.some((tool) => tool.name === businessList))
      assert.ok(tools.every((tool) => /^[a-zA-Z0-9_-]{1,64}$/.test(tool.name)))
      const whole = await connected((client) => client.listTools(), `${aliasPath}?areas=all`)
      assert.ok(whole.tools.length > tools.length)
      assertOwnBusiness(await callBusinesses())
      assertOwnBusiness(await callBusinesses(aliasPath))
    },
    async 'step up'() {
      await assert.rejects(callProbe(), (thrown) => {
        return thrown instanceof StreamableHTTPError && thrown.code === 403
      })
      assert.equal(challenge.error, 'insufficient_scope')
      app.invalidateCredentials('tokens')
      const scope = `meta:read ${challenge.scope}`
      assert.equal(await auth(app, { serverUrl: service.url + toolPath, scope }), 'REDIRECT')
      const { code } = await followAsApp(app, { email }, service.url)
      await transportTo().finishAuth(code)
      assert.ok((await callProbe()).structuredContent)
    },
    async refresh() {
      const before = app.kept
      app.spoilAccessToken()
      assertOwnBusiness(await callBusinesses())
      assert.notEqual(app.kept?.refresh_token, before?.refresh_token)
    },
    async reuse() {
      const old = app.kept?.refresh_token ?? ''
      app.spoilAccessToken()
      assertOwnBusiness(await callBusinesses())
      await assert.rejects(
        refreshAuthorization(service.url, {
          metadata: app.discovery?.authorizationServerMetadata as never,
          clientInformation: app.client ?? { client_id: '' },
          refreshToken: old,
        }),
        InvalidGrantError,
      )
      assertOwnBusiness(await callBusinesses())
      app.spoilAccessToken()
      assertOwnBusiness(await callBusinesses())
    },
    async 'cut off'() {
      assert.deepEqual(namesAbout('revo'), [], 'the matrix says that it has no code to revoke')
      await endConnection(service.url, app.client?.client_id ?? '', app.kept?.refresh_token ?? '')
      app.sentTo = undefined
      await assert.rejects(callBusinesses(), UnauthorizedError)
      assert.ok(app.sentTo, 'the person is sent to sign in again')
      assert.equal(app.kept, undefined)
    },
  })
})

function namesAbout(what: string): string[] {
  return Object.keys(authModule).filter((name) => name.toLowerCase().includes(what))
}
