/** The steps that each client goes through, in this order; the columns of the matrix. */
export const steps = [
  'discover',
  'register',
  'sign in',
  'call',
  'step up',
  'refresh',
  'reuse',
  'revoke',
  'cut off',
] as const

export type Step = (typeof steps)[number]

export const meaningOf: Record<Step, string> = {
  discover: 'finds the authorization server from the address of the tool endpoint or the issuer',
  register: 'registers itself (RFC 7591)',
  'sign in': 'authorization code with PKCE (S256); `state` and `iss` come back on the redirect',
  call: '`business.list` on `/api/functions/svc-mcp` and on `/mcp`',
  'step up': 'meets 403 `insufficient_scope`, authorizes again with that scope, calls again',
  refresh: 'gets a new access token and a new refresh token, and calls with it',
  reuse: 'uses the rotated-out token once more: 400 `invalid_grant`, and nothing else happens',
  revoke: 'ends the connection itself (RFC 7009)',
  'cut off': 'after the end meets 401, and does not go on as if nothing had happened',
}

/** A step that ran, with its observation, or one for which the client has no code. */
export type Cell = { readonly done: string } | { readonly none: string }

export interface ClientRow {
  readonly name: string
  /** The package whose installed version the matrix shows. */
  readonly package: string
  readonly cells: Readonly<Record<Step, Cell>>
}
