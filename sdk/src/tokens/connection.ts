/** A connection as the client stores it: one person's grant to one registered client. */
import { asFields } from '../errors/problem.ts'
import type { ServerMetadata } from '../transport/server-metadata.ts'
import { Secret } from './secret.ts'

/** The contents of a store. The tokens can only be read with `reveal`. */
export interface Connection {
  /** The server's metadata from the last discovery. */
  server: ServerMetadata
  clientId: string
  accessToken: Secret
  /** Rotates on every use; absent if the server issued none. */
  refreshToken?: Secret
  /** When the access token expires, in milliseconds since 1970. */
  expiresAt: number
  /** Scopes that were granted. */
  scopes: string[]
  /** How many refreshes in a row failed with `invalid_grant`. */
  refusals: number
  /** True after two such responses: the connection has ended, and is not used again. */
  severed: boolean
}

/** Tokens as the token endpoint returns them. */
export interface Tokens {
  accessToken: Secret
  refreshToken?: Secret
  /** The lifetime of the access token in seconds. */
  expiresIn: number
  /** Absent if the response does not contain scopes. */
  scopes?: string[]
}

/** The connection after tokens were issued; a refresh that carries no new refresh token or scope keeps the old ones. */
export function withTokens(
  connection: Omit<Connection, 'accessToken' | 'expiresAt' | 'refusals' | 'severed'>,
  tokens: Tokens,
  now: number,
): Connection {
  const refreshToken = tokens.refreshToken ?? connection.refreshToken
  return {
    server: connection.server,
    clientId: connection.clientId,
    accessToken: tokens.accessToken,
    ...(refreshToken && { refreshToken }),
    expiresAt: now + tokens.expiresIn * 1000,
    scopes: tokens.scopes ?? connection.scopes,
    refusals: 0,
    severed: false,
  }
}

/** The connection in plain text, including the tokens: for a store to encrypt, never to print. */
export function writeConnection(connection: Connection): string {
  return JSON.stringify({
    ...connection,
    accessToken: connection.accessToken.reveal(),
    refreshToken: connection.refreshToken?.reveal(),
  })
}

/** Reads the output of {@link writeConnection}; undefined for anything else. */
export function readConnection(value: unknown): Connection | undefined {
  const fields = asFields(value)
  const { accessToken, refreshToken, ...rest } = fields
  const sound =
    typeof accessToken === 'string' &&
    typeof fields['clientId'] === 'string' &&
    typeof fields['expiresAt'] === 'number' &&
    Array.isArray(fields['scopes']) &&
    typeof asFields(fields['server'])['tokenEndpoint'] === 'string'
  if (!sound) return undefined
  return {
    ...(rest as unknown as Omit<Connection, 'accessToken' | 'refreshToken'>),
    accessToken: new Secret(accessToken),
    ...(typeof refreshToken === 'string' && { refreshToken: new Secret(refreshToken) }),
  }
}
