/**
 * What clients of others do with an API key in place of a sign-in. `api-keys.test.ts` beside this
 * file takes its steps from here: a cell says what a test saw.
 */

export const keySteps = ['call', 'scope', 'revoked'] as const

export type KeyStep = (typeof keySteps)[number]

export const meaningOfKeyStep: Record<KeyStep, string> = {
  call: '`business.list` at the tool endpoint, on `/api/functions/svc-mcp` and on `/mcp`',
  scope: 'calls a tool whose scope the key does not have, and meets 403',
  revoked: 'calls once more after the key was revoked, and meets 401',
}

export interface KeyClientRow {
  readonly name: string
  readonly package: string
  /** How the client is given the key. */
  readonly given: string
  readonly scope: string
  readonly revoked: string
}

const oauthLibrary = {
  scope: 'parses the challenge, which names the scope',
  revoked: 'parses the challenge: `invalid_token`',
} as const

const given = '`requestInit.headers` of its transport'
const sdkV1 = {
  given,
  scope: 'throws `StreamableHTTPError` with the code 403',
  revoked: 'throws `StreamableHTTPError` with the code 401',
} as const
const sdkV2 = {
  given,
  scope: 'throws `InsufficientScopeError`',
  revoked: 'throws `SdkHttpError` with the status 401',
} as const

export const keyClients = {
  openidClient: {
    name: 'openid-client',
    package: 'openid-client',
    given: 'the access token of `fetchProtectedResource`',
    ...oauthLibrary,
  },
  oauth4webapi: {
    name: 'oauth4webapi',
    package: 'oauth4webapi',
    given: 'the access token of `protectedResourceRequest`',
    ...oauthLibrary,
  },
  sdkV1: { name: 'MCP SDK v1', package: '@modelcontextprotocol/sdk', ...sdkV1 },
  clientV2Legacy: {
    name: 'MCP client v2, legacy',
    package: '@modelcontextprotocol/client',
    ...sdkV2,
  },
  clientV2Auto: { name: 'MCP client v2, auto', package: '@modelcontextprotocol/client', ...sdkV2 },
  clientV2Pinned: {
    name: 'MCP client v2, pinned to 2026-07-28',
    package: '@modelcontextprotocol/client',
    ...sdkV2,
  },
  mcpRemote: {
    name: 'mcp-remote',
    package: 'mcp-remote',
    given: 'its option `--header`',
    scope: 'prints an address to sign in, whose token would replace the key',
    revoked: 'prints such an address again',
  },
  inspectorCli: {
    name: 'Inspector CLI',
    package: '@modelcontextprotocol/inspector',
    given: '`headers` of the server in its configuration',
    scope: 'ends with the error, which names the scope',
    revoked: 'ends with `auth_required` and the reason',
  },
} as const satisfies Record<string, KeyClientRow>
