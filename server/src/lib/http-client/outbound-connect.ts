import type { LookupFunction } from 'node:net'
import { buildConnector } from 'undici'
import { isRefusal, type Refusal } from '../schema/refusal.ts'
import {
  literalOf,
  notPublic,
  type OutboundGuard,
  type Target,
  targetOf,
} from './outbound-guard.ts'

/** Closes a connection that the guard does not allow. */
export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress'
  readonly refusal: Refusal
  constructor(refusal: Refusal) {
    super(refusal.message)
    this.refusal = refusal
  }
}

export interface ConnectOptions {
  guard: OutboundGuard
  timeoutMs: number
  /** Certificates to trust instead of the system's, for tests. */
  ca?: string
}

/** Opens connections for undici, only to addresses that the guard allows. */
export function guardedConnector({
  guard,
  timeoutMs,
  ca,
}: ConnectOptions): buildConnector.connector {
  // The resolver receives neither port nor protocol, so each pair has its own connector.
  const connectors = new Map<string, buildConnector.connector>()
  const connectorFor = (target: Target): buildConnector.connector => {
    const key = `${target.isPlain ? 'http' : 'https'}:${target.port}`
    let connector = connectors.get(key)
    if (!connector) {
      const lookup = guardedLookup(guard, target)
      const trust = ca === undefined ? {} : { ca }
      connector = buildConnector({ timeout: timeoutMs, allowH2: false, lookup, ...trust })
      connectors.set(key, connector)
    }
    return connector
  }

  return (options, callback) => {
    // An IP address in place of a name is never resolved, so it is checked here.
    const url = guard.check(`${options.protocol}//${options.host ?? options.hostname}`)
    if (isRefusal(url)) return callback(new ForbiddenAddress(url), null)
    const target = targetOf(url)
    connectorFor(target)({ ...options, hostname: literalOf(url) ?? url.hostname }, (...opened) => {
      const [error, socket] = opened
      if (error) return callback(error, null)
      if (guard.mayReach(socket.remoteAddress, target)) return callback(null, socket)
      socket.destroy()
      callback(new ForbiddenAddress(notPublic()), null)
    })
  }
}

function guardedLookup(guard: OutboundGuard, target: Target): LookupFunction {
  return (hostname, options, callback) => {
    guard.addressesOf(hostname, target).then(
      (addresses) => {
        if (isRefusal(addresses)) return callback(new ForbiddenAddress(addresses), '')
        const resolved = addresses.map((address) => ({
          address,
          family: address.includes(':') ? 6 : 4,
        }))
        if (options.all) callback(null, resolved)
        else callback(null, resolved[0]?.address ?? '', resolved[0]?.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, ''),
    )
  }
}
