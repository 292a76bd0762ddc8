import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import * as mcp from '@modelcontextprotocol/client'
import { newPerson } from '../support/clients/sign-in.ts'
import { startService } from '../support/processes/service.ts'
import { clients } from './clients.ts'
import { aliasPath, businessList, probe, probeScope, toolPath } from './fixtures.ts'
import { KeptProvider } from './kept-provider.ts'
import { endConnection, followAsApp } from './person.ts'
import { runSteps } from './run-steps.ts'
import { assertOwnBusiness } from './tool-call.ts'

type Row =
  | typeof clients.clientV2Legacy
  | typeof clients.clientV2Auto
  | typeof clients.clientV2Pinned

const modern = '2026-07-28'

test('the MCP client v2 in legacy mode completes its steps', (t) =>
  drive(t, clients.clientV2Legacy, 'legacy', 'legacy'))
test('the MCP client v2 in auto mode completes its steps', (t) =>
  drive(t, clients.clientV2Auto, 'auto', 'modern'))
test('the MCP client v2 with a pinned version completes its steps', (t) =>
  drive(t, clients.clientV2Pinned, { pin: modern }, 'modern'))

async function drive(
  t: TestContext,
  row: Row,
  mode: mcp.VersionNegotiationMode,
  era: mcp.ProtocolEra,
): Promise<void> {
  const service = await startService()
  t.after(() => service.close())
  const email = newPerson()
  const app = new KeptProvider(row.name)

  const transportTo = (path = toolPath) =>
    new mcp.StreamableHTTPClientTransport(new URL(path, service.url), { authProvider: app })
  const clientOn = async (transport: mcp.Transport) => {
    const client = new mcp.Client(
      { name: 'interop', version: '1.0.0' },
      { versionNegotiation: { mode } },
    )
    await client.connect(transport)
    return client
  }
  /** Connects, uses the client, and closes it whatever happens. */
  const connected = async <T>(
    use: (client: mcp.Client) => Promise<T>,
    transport: mcp.Transport = transportTo(),
  ): Promise<T> => {
    try {
      return await use(await clientOn(transport))
    } finally {
      await transport.close()
    }
  }
  const callBusinesses = (path = toolPath) =>
    connected((client) => client.callTool({ name: businessList, arguments: {} }), transportTo(path))
  const callProbe = (transport = transportTo()) =>
    connected((client) => client.callTool({ name: probe, arguments: {} }), transport)

  await runSteps(t, row, {
    async discover() {
      await assert.rejects(callBusinesses(), mcp.UnauthorizedError)
      assert.equal(app.discovery?.authorizationServerUrl, service.url)
      assert.equal(app.discovery?.resourceMetadata?.resource, service.url + toolPath)
    },
    async register() {
      assert.ok(app.client?.client_id)
    },
    async 'sign in'() {
      const { code, iss } = await followAsApp(app, { email, untick: [probeScope] }, service.url)
      await assert.rejects(
        transportTo().finishAuth(code, 'https://elsewhere.example'),
        mcp.IssuerMismatchError,
      )
      await transportTo().finishAuth(code, iss)
      assert.ok(!app.kept?.scope?.split(' ').includes(probeScope))
    },
    async call() {
      await connected(async (client) => {
        assert.equal(client.getProtocolEra(), era)
        const { tools } = await client.listTools()
        assert.ok(tools.some((tool) => tool.name === businessList))
      })
      assertOwnBusiness(await callBusinesses())
      assertOwnBusiness(await callBusinesses(aliasPath))
    },
    async 'step up'() {
      const transport = transportTo()
      await assert.rejects(callProbe(transport), mcp.UnauthorizedError)
      assert.ok(app.sentTo?.searchParams.get('scope')?.split(' ').includes(probeScope))
      const { code, iss } = await followAsApp(app, { email }, service.url)
      await transport.finishAuth(code, iss)
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
        mcp.refreshAuthorization(service.url, {
          metadata: app.discovery?.authorizationServerMetadata as mcp.OAuthMetadata,
          clientInformation: app.client ?? { client_id: '' },
          refreshToken: old,
        }),
        (thrown) => thrown instanceof mcp.OAuthError && thrown.code === 'invalid_grant',
      )
      assertOwnBusiness(await callBusinesses())
      app.spoilAccessToken()
      assertOwnBusiness(await callBusinesses())
    },
    async 'cut off'() {
      const names = Object.keys(mcp).filter((name) => /revo/i.test(name))
      assert.deepEqual(names, [], 'the matrix says that it has no code to revoke')
      await endConnection(service.url, app.client?.client_id ?? '', app.kept?.refresh_token ?? '')
      app.sentTo = undefined
      await assert.rejects(callBusinesses(), mcp.UnauthorizedError)
      assert.ok(app.sentTo, 'the person is sent to sign in again')
      assert.equal(app.kept, undefined)
    },
  })
}
