/**
 * Discovery, as the contract's "Authentication" 6 requires: fetched before any endpoint is used,
 * cached for an hour, and fetched early only when a call gets a 404 without a code of ours.
 */

import { errorFrom, saysOurCode } from '../errors/problem.ts'
import { type Answer, send, type World } from './http.ts'
import { type Address, readMetadata, type ServerMetadata } from './server-metadata.ts'
import { singleFlight } from './single-flight.ts'

const keepFor = 3_600_000

export interface Discovery {
  /** The server's endpoints, from the cache where that is younger than an hour. */
  get(): Promise<ServerMetadata>
  /** Adopts the metadata of an earlier process, unless this one has newer metadata. */
  seed(metadata: ServerMetadata): void
  /**
   * Makes a call to an endpoint of the server. If the response is a 404 without a code of ours, the
   * endpoint may have moved: discovery is fetched again and the call is made once more. None of our
   * code ran behind such a 404, so calling twice is safe.
   */
  call(make: (metadata: ServerMetadata) => Promise<Answer>): Promise<Answer>
}

export function createDiscovery(address: Address, world: World): Discovery {
  let known: ServerMetadata | undefined
  const fetchNow = singleFlight(async () => {
    known = await fetchMetadata(address, world)
    return known
  })
  const get = async (): Promise<ServerMetadata> =>
    known && world.now() - known.fetchedAt < keepFor ? known : fetchNow()

  return {
    get,
    seed(metadata) {
      if (!known || known.fetchedAt < metadata.fetchedAt) known = metadata
    },
    async call(make) {
      const used = await get()
      const answer = await make(used)
      if (answer.status !== 404 || saysOurCode(answer.body)) return answer
      // Callers that got the same 404 share one fetch; a later caller uses the newer document.
      return make(known === used ? await fetchNow() : await get())
    },
  }
}

async function fetchMetadata(address: Address, world: World): Promise<ServerMetadata> {
  const wellKnown = (name: string): Promise<Answer> =>
    send(world, { url: `${address.origin}/.well-known/${name}`, method: 'GET' })
  const [authorization, resource] = await Promise.all([
    wellKnown('oauth-authorization-server'),
    address.endpoint === undefined ? wellKnown('oauth-protected-resource') : undefined,
  ])
  if (authorization.status !== 200) throw errorFrom(authorization, world.now())
  const body = resource?.status === 200 ? resource.body : undefined
  return readMetadata(address, authorization.body, body, world.now())
}
