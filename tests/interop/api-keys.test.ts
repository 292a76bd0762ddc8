/** Clients that nobody here wrote, each with an API key in place of a sign-in. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import * as mcp from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import {
  StreamableHTTPClientTransport,
  StreamableHTTPError,
} from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { scopes } from 'crier-server/core/operation.ts'
import { endKey } from 'crier-server/oauth/api-keys/key-queries.ts'
import * as oauth from 'oauth4webapi'
import * as oidc from 'openid-client'
import { newBusiness } from '../support/businesses/business.ts'
import { newApiKey } from '../support/clients/api-keys.ts'
import { freePort } from '../support/network/port.ts'
import { newHome } from '../support/processes/client-process.ts'
import { type Service, startService } from '../support/processes/service.ts'
import { aliasPath, businessList, probe, probeScope, toolPath } from './fixtures.ts'
import { inspectorIn } from './inspector-run.ts'
import { type KeyClientRow, keyClients } from './key-clients.ts'
import { startRemote } from './mcp-remote-session.ts'
import { assertOwnBusiness, jsonHeaders, resultOf, toolCall } from './tool-call.ts'

let service: Service
before(async () => {
  service = await startService()
})
after(() => service.close())

/** What one client does with a key. */
interface Session {
  /** Calls the tool; resolves with its result. */
  call(name: string, path?: string): Promise<unknown>
  /** Asserts that the client reports a call that was refused. */
  refused(call: () => Promise<unknown>, status: 401 | 403): Promise<void>
}

/** A key that lacks one scope: the client calls with it, meets that scope, and meets the key's end. */
async function drive(
  { name }: KeyClientRow,
  client: (key: string) => Session | Promise<Session>,
): Promise<void> {
  const businessId = await newBusiness(service.db)
  const held = scopes.filter((scope) => scope !== probeScope)
  const { secret, key } = await newApiKey(service.db, { businessId, scopes: held })
  const { call, refused } = await client(secret)
  assertOwnBusiness(await call(businessList))
  assertOwnBusiness(await call(businessList, aliasPath))
  await refused(() => call(probe), 403)
  assertOwnBusiness(await call(businessList))
  const ended = { id: key.id, now: new Date() }
  assert.ok(await service.db.tx((tx) => endKey(tx, businessId, ended)), name)
  await refused(() => call(businessList), 401)
}

const at = (path = toolPath): URL => new URL(path, service.url)
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

test('openid-client calls with an API key', () =>
  drive(keyClients.openidClient, async (key) => {
    const metadata = { issuer: service.url, token_endpoint: `${service.url}/token` }
    const config = new oidc.Configuration(metadata, 'none')
    oidc.allowInsecureRequests(config)
    return {
      async call(name, path) {
        const headers = new Headers(jsonHeaders)
        const body = toolCall(name)
        return resultOf(
          await oidc.fetchProtectedResource(config, key, at(path), 'POST', body, headers),
        )
      },
      refused: (call, status) =>
        assert.rejects(call, (thrown) => {
          assert.ok(thrown instanceof oidc.WWWAuthenticateChallengeError)
          assertChallenge(thrown.status, thrown.cause[0]?.parameters, status)
          return true
        }),
    }
  }))

test('oauth4webapi calls with an API key', () =>
  drive(keyClients.oauth4webapi, (key) => ({
    async call(name, path) {
      const headers = new Headers(jsonHeaders)
      const overHttp = { [oauth.allowInsecureRequests]: true }
      return resultOf(
        await oauth.protectedResourceRequest(
          key,
          'POST',
          at(path),
          headers,
          toolCall(name),
          overHttp,
        ),
      )
    },
    refused: (call, status) =>
      assert.rejects(call, (thrown) => {
        assert.ok(thrown instanceof oauth.WWWAuthenticateChallengeError)
        assertChallenge(thrown.status, thrown.cause[0]?.parameters, status)
        return true
      }),
  })))

function assertChallenge(
  status: number,
  parameters: { error?: string; scope?: string } | undefined,
  expected: 401 | 403,
): void {
  assert.equal(status, expected)
  assert.equal(parameters?.error, expected === 401 ? 'invalid_token' : 'insufficient_scope')
  // What is held and what is missing, in the order of all scopes.
  if (expected === 403) assert.equal(parameters?.scope, scopes.join(' '))
}

test('the MCP SDK v1 calls with an API key', () =>
  drive(keyClients.sdkV1, (key) => ({
    async call(name, path) {
      const client = new Client({ name: 'interop', version: '1.0.0' })
      const transport = new StreamableHTTPClientTransport(at(path), {
        requestInit: { headers: bearer(key) },
      })
      try {
        // The SDK's own types do not support exactOptionalPropertyTypes.
        await client.connect(transport as Parameters<Client['connect']>[0])
        return await client.callTool({ name, arguments: {} })
      } finally {
        await client.close()
      }
    },
    refused: (call, status) =>
      assert.rejects(
        call,
        (thrown) => thrown instanceof StreamableHTTPError && thrown.code === status,
      ),
  })))

const modes = {
  clientV2Legacy: 'legacy',
  clientV2Auto: 'auto',
  clientV2Pinned: { pin: '2026-07-28' },
} as const satisfies Record<string, mcp.VersionNegotiationMode>

for (const [row, mode] of Object.entries(modes)) {
  const client = keyClients[row as keyof typeof modes]
  test(`${client.name} calls with an API key`, () =>
    drive(client, (key) => ({
      async call(name, path) {
        const transport = new mcp.StreamableHTTPClientTransport(at(path), {
          requestInit: { headers: bearer(key) },
        })
        const own = { name: 'interop', version: '1.0.0' }
        const session = new mcp.Client(own, { versionNegotiation: { mode } })
        try {
          await session.connect(transport)
          return await session.callTool({ name, arguments: {} })
        } finally {
          await transport.close()
        }
      },
      refused: (call, status) =>
        assert.rejects(call, (thrown) => {
          if (status === 403) {
            assert.ok(thrown instanceof mcp.InsufficientScopeError)
            return true
          }
          assert.ok(thrown instanceof mcp.SdkHttpError)
          assert.equal(thrown.status, 401)
          return true
        }),
    })))
}

test('mcp-remote calls with an API key', async (t) => {
  const home = await newHome()
  t.after(() => home.remove())
  await drive(keyClients.mcpRemote, (key) => ({
    async call(name, path) {
      const header = ['--header', `Authorization: Bearer ${key}`]
      const session = await startRemote(home, at(path).href, header)
      const result = session.ready.then(() => session.client.callTool({ name, arguments: {} }))
      // A call that waits for a sign-in ends with the session.
      result.catch(() => undefined)
      const asked = session.nextAddress().then((address) => {
        throw new SignInAsked(address)
      })
      try {
        return await Promise.race([result, asked])
      } finally {
        // Another session would wait for the sign-in that this one began.
        await session.close()
      }
    },
    refused: (call) => assert.rejects(call, SignInAsked),
  }))
})

/** The program prints an address for a person instead of an answer. */
class SignInAsked extends Error {}

test('the Inspector CLI calls with an API key', async (t) => {
  const home = await newHome()
  t.after(() => home.remove())
  const port = await freePort()
  await drive(keyClients.inspectorCli, (key) => ({
    async call(name, path) {
      const inspector = inspectorIn(home, at(path).href, port, bearer(key))
      t.after(() => inspector.stop())
      const method = ['--method', 'tools/call', '--tool-name', name]
      const program = await inspector.run(method, ['--stored-auth-only'])
      const { code, stdout, stderr } = await program.done
      if (code !== 0) throw new Error(stderr)
      const printed = JSON.parse(stdout) as { result?: unknown }
      return printed.result ?? printed
    },
    refused: (call, status) =>
      assert.rejects(
        call,
        status === 401 ? /API key was revoked/ : /Insufficient scope: required .*forms:read/,
      ),
  }))
})
