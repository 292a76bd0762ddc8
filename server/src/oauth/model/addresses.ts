/** Every public address of the authorization server and of its resources. */

export interface PublicHosts {
  /** Origins without a trailing slash. */
  baseUrl: string
  appUrl: string
  gatewayUrl: string
  /** The first part of tool names and scopes. */
  slug: string
}

export interface Addresses {
  /** Exactly the base URL, without path or trailing slash (RFC 8414 section 2). */
  issuer: string
  authorization: string
  token: string
  registration: string
  revocation: string
  jwks: string
  /** The tool-call endpoint: the resource of RFC 8707 and 9728. */
  toolEndpoint: string
  /** The same endpoint at the path that some assistants insist on. */
  toolAlias: string
  gateway: string
  documentation: string
}

export const oauthPath = '/functions/v1/mcp-oauth'

export function addressesOf(hosts: PublicHosts): Addresses {
  const authorization = `${hosts.baseUrl}${oauthPath}`
  return {
    issuer: hosts.baseUrl,
    authorization,
    token: authorization,
    registration: `${authorization}/register`,
    revocation: `${authorization}/revoke`,
    jwks: `${hosts.baseUrl}/.well-known/jwks.json`,
    toolEndpoint: `${hosts.appUrl}/api/functions/${hosts.slug}-mcp`,
    toolAlias: `${hosts.appUrl}/mcp`,
    gateway: `${hosts.gatewayUrl}/v1`,
    documentation: `${hosts.appUrl}/docs`,
  }
}
