/** Serves the metadata documents at every path where a known client looks for them. */
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../lib/time/clock.ts'
import type { KeyRing } from '../oauth/keys/key-ring.ts'
import { authorizationServerMetadata, protectedResourceMetadata } from '../oauth/metadata.ts'
import type { Addresses } from '../oauth/model/addresses.ts'
import { openToAnyOrigin } from './origins.ts'

export interface DiscoveryDeps {
  addresses: Addresses
  clientDocuments: boolean
  ring: KeyRing
  clock: Clock
}

const metadataAge = 3600
/** Shorter than the hour for which a key is published before it is used to sign. */
const keysAge = 900

const serverWord = '/.well-known/oauth-authorization-server'
const resourceWord = '/.well-known/oauth-protected-resource'

/** The path of a resource's metadata on its own host (RFC 9728 section 3.1). */
export function resourceMetadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource)
  return `${origin}${resourceWord}${pathname}`
}

export function registerDiscovery(app: FastifyInstance, deps: DiscoveryDeps): void {
  const { addresses } = deps
  const endpoint = new URL(addresses.toolEndpoint).pathname
  const alias = new URL(addresses.toolAlias).pathname
  const gateway = new URL(addresses.gateway).pathname
  const server = authorizationServerMetadata(addresses, deps)
  const documents: Record<string, unknown> = {
    [serverWord]: server,
    [`${serverWord}${endpoint}`]: server,
    [`${serverWord}${alias}`]: server,
    // Older clients append the well-known part after the path instead of before it.
    [`${endpoint}${serverWord}`]: server,
    [`${alias}${serverWord}`]: server,
    [resourceWord]: protectedResourceMetadata(addresses, addresses.toolEndpoint),
    [`${resourceWord}${endpoint}`]: protectedResourceMetadata(addresses, addresses.toolEndpoint),
    [`${resourceWord}${alias}`]: protectedResourceMetadata(addresses, addresses.toolAlias),
    [`${resourceWord}${gateway}`]: protectedResourceMetadata(addresses, addresses.gateway),
  }
  const keys = new URL(addresses.jwks).pathname

  app.register(async (scope) => {
    const paths = Object.keys(documents)
    // Clients derive these paths from an endpoint's address, which people type with a slash too.
    openToAnyOrigin(scope, [...paths.flatMap((path) => [path, `${path}/`]), keys], 'GET')
    for (const [path, document] of Object.entries(documents)) {
      const text = JSON.stringify(document)
      for (const url of [path, `${path}/`]) {
        scope.get(url, (_request, reply) =>
          reply
            .header('cache-control', `public, max-age=${metadataAge}`)
            .type('application/json; charset=utf-8')
            .send(text),
        )
      }
    }
    scope.get(keys, async (_request, reply) => {
      const set = await deps.ring.published(deps.clock.now())
      return reply.header('cache-control', `public, max-age=${keysAge}`).send(set)
    })
  })
}
