/**
 * The published matrix, client by client. The drivers beside this file take their steps from it: a
 * cell may say `done` only if a test ran that step.
 */
import type { ClientRow } from './steps.ts'

const oauthCells = {
  register: { done: 'a public client with a loopback redirect' },
  call: { done: 'plain JSON-RPC through its protected-resource request' },
  'step up': {
    done: 'the challenge is parsed by the library and names the scopes held and missing',
  },
  refresh: { done: 'a new pair; the token type and the scope are validated' },
  reuse: { done: '400 `invalid_grant`; the newest pair goes on working' },
  revoke: { done: 'its own RFC 7009 request' },
  'cut off': { done: 'the call is 401 `invalid_token`, the refresh 400 `invalid_grant`' },
} as const

const sdkRevoke = { none: 'the package exports no revocation' } as const
const sdkCells = {
  discover: { done: '401, then RFC 9728 and RFC 8414' },
  register: { done: 'by its transport, when it first meets 401' },
  call: { done: '`listTools` and `callTool`' },
  refresh: { done: 'by its transport, when the access token is refused' },
  reuse: { done: 'its refresh with the old token is `invalid_grant`; calls go on' },
  revoke: sdkRevoke,
  'cut off': { done: '401, a refused refresh, and the person is sent to sign in again' },
} as const

const v1SignIn = { done: '`finishAuth` with the code; the app compares `state` and `iss`' } as const
const v2SignIn = {
  done: '`finishAuth` with code and `iss`, which it compares; the app compares `state`',
} as const
const v1StepUp = {
  done: 'its transport refreshes, meets the 403 again and stops; the app then authorizes with the scope that the challenge named',
} as const
const v2StepUp = { done: 'its transport authorizes anew with the union of scopes' } as const

export const clients = {
  openidClient: {
    name: 'openid-client',
    package: 'openid-client',
    cells: {
      ...oauthCells,
      discover: { done: 'RFC 8414 at the issuer' },
      'sign in': { done: 'the library compares `state` and `iss` before it sends the code' },
    },
  },
  oauth4webapi: {
    name: 'oauth4webapi',
    package: 'oauth4webapi',
    cells: {
      ...oauthCells,
      discover: { done: 'RFC 9728 at the tool endpoint, then RFC 8414' },
      'sign in': {
        done: 'the library compares `state` and `iss`; it validates the access token as RFC 9068 asks, with the published keys',
      },
    },
  },
  sdkV1: {
    name: 'MCP SDK v1',
    package: '@modelcontextprotocol/sdk',
    cells: { ...sdkCells, 'sign in': v1SignIn, 'step up': v1StepUp },
  },
  clientV2Legacy: {
    name: 'MCP client v2, legacy',
    package: '@modelcontextprotocol/client',
    cells: { ...sdkCells, 'sign in': v2SignIn, 'step up': v2StepUp },
  },
  clientV2Auto: {
    name: 'MCP client v2, auto',
    package: '@modelcontextprotocol/client',
    cells: { ...sdkCells, 'sign in': v2SignIn, 'step up': v2StepUp },
  },
  clientV2Pinned: {
    name: 'MCP client v2, pinned to 2026-07-28',
    package: '@modelcontextprotocol/client',
    cells: { ...sdkCells, 'sign in': v2SignIn, 'step up': v2StepUp },
  },
  mcpRemote: {
    name: 'mcp-remote',
    package: 'mcp-remote',
    cells: {
      discover: { done: '401, then RFC 9728 and RFC 8414' },
      register: { done: 'at its first start; kept in its folder' },
      'sign in': { done: 'the printed address, called back on its own loopback port' },
      call: { done: 'through its stdio side, by an MCP client on the other end' },
      'step up': { done: 'authorizes in mid-session with the union of scopes' },
      refresh: { done: 'before the expiry that its token file names' },
      reuse: { done: 'its refresh with the old token fails; the newest pair goes on working' },
      revoke: { none: 'it never asks the revocation endpoint' },
      'cut off': { done: 'prints an address to sign in again' },
    },
  },
  inspectorCli: {
    name: 'Inspector CLI',
    package: '@modelcontextprotocol/inspector',
    cells: {
      discover: { done: '401, then RFC 9728 and RFC 8414' },
      register: { done: 'at its first run; kept in its store' },
      'sign in': { done: 'the printed address, called back on its own loopback port' },
      call: { done: '`--method tools/call`, in the eras legacy and modern' },
      'step up': { done: 'asks on the terminal, then authorizes with the union of scopes' },
      refresh: { done: 'when the stored access token is refused' },
      reuse: { done: 'the old token is refused; the newest pair goes on working' },
      revoke: {
        none: '`--relogin` has a request for it, but needs metadata that its own sign-in does not keep, and sends nothing',
      },
      'cut off': { done: 'with stored credentials alone it ends with `auth_required`' },
    },
  },
} as const satisfies Record<string, ClientRow>
