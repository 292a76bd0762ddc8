/**
 * Renews one connection's access token in time (contract 14.3). However many
 * callers and processes share the store, one refresh at a time reaches the server.
 */

import { CrierError } from '../errors/error.ts'
import { type Connection, withTokens } from '../tokens/connection.ts'
import type { Secret } from '../tokens/secret.ts'
import type { Store } from '../tokens/store.ts'
import type { World } from '../transport/http.ts'
import type { ServerMetadata } from '../transport/server-metadata.ts'
import { singleFlight, unlessAborted } from '../transport/single-flight.ts'
import type { OAuth } from './oauth.ts'

/** The contract's margin: a token this close to its expiry is replaced before it is used. */
const refreshLead = 60_000
/** After a refresh without a response, the old token is used for this long before the next try. */
const pauseAfterFailure = 5_000

/** Provides bearer tokens for calls. */
export interface TokenSource {
  /** A token that is valid for more than a minute, if one is available. */
  token(signal?: AbortSignal): Promise<Secret>
  /** A token other than the one the server has just answered with 401; absent if there can be none. */
  renew?(refused: Secret, signal?: AbortSignal): Promise<Secret>
}

export function createTokenKeeper(parts: {
  store: Store
  oauth: Pick<OAuth, 'refresh' | 'remember' | 'server'>
  world: Pick<World, 'now'>
}): Required<TokenSource> {
  const { store, oauth, world } = parts
  let cached: Connection | undefined
  /** The access token that a caller saw refused; undefined for a refresh ahead of time. */
  let refused: string | undefined
  let restUntil = 0

  const fresh = (connection: Connection): boolean =>
    connection.accessToken.reveal() !== refused && connection.expiresAt - world.now() > refreshLead
  const alive = (connection: Connection): boolean =>
    connection.accessToken.reveal() !== refused && connection.expiresAt > world.now()

  /** The connection in the store, or the error that makes it unusable. */
  const load = async (): Promise<Connection> => {
    const connection = await store.read()
    cached = connection
    if (!connection) throw signedOut()
    oauth.remember(connection.server)
    if (connection.severed) throw severed(connection)
    return connection
  }

  const save = async (connection: Connection): Promise<Connection> => {
    // This process uses the new tokens even if they cannot be stored.
    cached = connection
    await store.write(connection)
    return connection
  }

  const upkeep = singleFlight(() =>
    store.exclusive(async () => {
      // The previous holder of the lock may have refreshed, signed out or been severed.
      const current = await load()
      const server = await oauth.server()
      if (fresh(current)) return upToDate(current, server) ? current : save({ ...current, server })
      const { refreshToken } = current
      if (!refreshToken) {
        if (alive(current)) return current
        throw new CrierError({
          code: 'unauthorized',
          message: 'The access token is over, and the server gave none to renew it. Sign in again.',
        })
      }
      try {
        const tokens = await oauth.refresh(current.clientId, refreshToken)
        // Read again, because the call may have found that the endpoints moved.
        const now = { ...current, server: await oauth.server() }
        return await save(withTokens(now, tokens, world.now()))
      } catch (error) {
        return afterFailure(current, error)
      }
    }),
  )

  const afterFailure = async (current: Connection, error: unknown): Promise<Connection> => {
    const code = error instanceof CrierError ? error.code : undefined
    if (code === 'invalid_grant') {
      const latest = await load()
      // A process that lost its lock (a suspended laptop) may already have refreshed.
      if (fresh(latest)) return latest
      const refusals = current.refusals + 1
      const after = await save({ ...current, refusals, severed: refusals >= 2 })
      throw after.severed ? severed(after) : endedPerhaps(error as CrierError)
    }
    if (code === 'invalid_client' || !alive(current)) throw error
    restUntil = world.now() + pauseAfterFailure
    return current
  }

  return {
    async token(signal) {
      // A severed or missing connection is read again: someone may have signed in since.
      const connection = cached && !cached.severed ? cached : await load()
      // The result of discovery is stored with the tokens, so that the next process can reuse it.
      const server = await oauth.server()
      if (fresh(connection) && upToDate(connection, server)) return connection.accessToken
      if (alive(connection) && world.now() < restUntil) return connection.accessToken
      return (await unlessAborted(upkeep(), signal)).accessToken
    },

    async renew(token, signal) {
      refused = token.reveal()
      return (await unlessAborted(upkeep(), signal)).accessToken
    },
  }
}

function upToDate(connection: Connection, server: ServerMetadata): boolean {
  return connection.server.fetchedAt >= server.fetchedAt
}

function signedOut(): CrierError {
  return new CrierError({ code: 'signed_out', message: 'Nobody is signed in. Sign in first.' })
}

function severed(connection: Connection): CrierError {
  return new CrierError({
    code: 'severed',
    message: `The connection to ${connection.server.issuer} was ended there, or went unused for 30 days. Sign in again.`,
  })
}

function endedPerhaps(error: CrierError): CrierError {
  return new CrierError({
    code: 'invalid_grant',
    status: error.status,
    requestId: error.requestId,
    message: `The server no longer takes this connection's refresh token (${error.message}). Sign in again.`,
  })
}
