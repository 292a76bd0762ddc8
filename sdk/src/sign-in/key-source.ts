/** An API key in place of a connection: it is sent as it is, and nothing renews it. */
import { CrierError } from '../errors/error.ts'
import { Secret } from '../tokens/secret.ts'
import type { TokenSource } from './token-keeper.ts'

export function keySource(apiKey: string): TokenSource {
  const key = new Secret(apiKey)
  return { token: async () => key }
}

export function noSignInNeeded(): CrierError {
  const message = 'This client sends an API key, so nobody signs in. Give it a store instead.'
  return new CrierError({ code: 'invalid_request', message })
}
