/**
 * The provider that receives mail to an address. The large ones have many domains each, and judge a
 * sender over all of them; many businesses have their own domain at Google Workspace or Microsoft
 * 365, which the domain's MX records tell. What is not known in time counts by its name.
 */

import type { Resolver } from '../../lib/dns/resolver.ts'
import { type Clock, hours, later, minutes, seconds } from '../../lib/time/clock.ts'

/** Returns the name of the provider that receives mail to this address. Never rejects. */
export type FindProvider = (address: string) => Promise<string>

/** By the names of domains alone, where no mail leaves this machine. */
export const providerByName: FindProvider = (address) => {
  const domain = domainOf(address)
  return Promise.resolve(largeProvider(domain) ?? domain)
}

export const receivingLimits = {
  /** How long a message waits for DNS before it is sent under the name of its domain. */
  patienceMs: 500,
  /** The most lookups at the same time. Other domains count by their names until they are asked. */
  atOnce: 50,
  /** The most domains that are remembered. Those that were not used for the longest are dropped. */
  remembered: 20_000,
  /** For how long an answer is used, whatever its records say. */
  leastMs: hours(1),
  mostMs: hours(24),
  /** For how long a domain counts by its name after DNS failed, or did not answer in time. */
  failedMs: minutes(5),
  /** A lookup is given up after this. */
  lookupMs: seconds(5),
  /** After so many lookups in a row without an answer in time, no message waits for this long. */
  silencesInARow: 3,
  restMs: seconds(30),
} as const

/** The ends of the names of the large providers' mail servers. */
const servers: readonly (readonly [end: string, provider: string])[] = [
  ['google.com', 'gmail'],
  ['googlemail.com', 'gmail'],
  ['outlook.com', 'microsoft'],
  ['hotmail.com', 'microsoft'],
  ['mx.microsoft', 'microsoft'],
  ['yahoodns.net', 'yahoo'],
  ['icloud.com', 'apple'],
]

/** Names that are never in DNS (RFC 6761, RFC 6762). */
const reserved = ['test', 'example', 'invalid', 'localhost', 'local', 'example.com', 'example.net']

interface Remembered {
  provider: string
  until: Date
}

export function createProviderFinder({
  resolver,
  clock,
}: {
  resolver: Resolver
  clock: Clock
}): FindProvider {
  const cache = new Map<string, Remembered>()
  const asking = new Map<string, Promise<string>>()
  let silences = 0
  let restsUntil: Date | undefined

  const remember = (domain: string, provider: string, forMs: number): string => {
    cache.delete(domain)
    cache.set(domain, { provider, until: later(clock.now(), forMs) })
    if (cache.size > receivingLimits.remembered) cache.delete(cache.keys().next().value as string)
    return provider
  }
  const recall = (domain: string): string | undefined => {
    const provider = cache.get(domain)
    if (!provider || provider.until <= clock.now()) return undefined
    cache.delete(domain)
    cache.set(domain, provider)
    return provider.provider
  }
  const ask = async (domain: string): Promise<string> => {
    const began = performance.now()
    const signal = AbortSignal.timeout(receivingLimits.lookupMs)
    const answer = await resolver.lookup(domain, 'MX', signal)
    const isLate = performance.now() - began >= receivingLimits.patienceMs
    silences = isLate && answer.outcome === 'failed' ? silences + 1 : 0
    if (silences >= receivingLimits.silencesInARow) {
      restsUntil = later(clock.now(), receivingLimits.restMs)
    }
    if (answer.outcome === 'failed') return remember(domain, domain, receivingLimits.failedMs)
    if (answer.outcome === 'absent') return remember(domain, domain, receivingLimits.leastMs)
    const { leastMs, mostMs } = receivingLimits
    const forMs = Math.min(mostMs, Math.max(leastMs, seconds(answer.ttl)))
    return remember(domain, providerOfServers(answer.records) ?? domain, forMs)
  }
  const lookUp = (domain: string): Promise<string> => {
    const lookup =
      asking.get(domain) ??
      ask(domain)
        .catch(() => remember(domain, domain, receivingLimits.failedMs))
        .finally(() => asking.delete(domain))
    asking.set(domain, lookup)
    return lookup
  }

  return async (address) => {
    const domain = domainOf(address)
    const provider = largeProvider(domain) ?? recall(domain)
    if (provider !== undefined) return provider
    if (isReserved(domain)) return domain
    const isResting = restsUntil !== undefined && clock.now() < restsUntil
    if (isResting || (asking.size >= receivingLimits.atOnce && !asking.has(domain))) return domain
    return withPatience(lookUp(domain), domain)
  }
}

const isReserved = (domain: string) =>
  !domain.includes('.') || reserved.some((name) => domain === name || domain.endsWith(`.${name}`))

/** The lookup goes on after this, for the messages that follow. */
function withPatience(lookup: Promise<string>, otherwise: string): Promise<string> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(otherwise), receivingLimits.patienceMs)
    void lookup.then((provider) => {
      clearTimeout(timer)
      resolve(provider)
    })
  })
}

/** The provider of the server that is preferred. */
function providerOfServers(
  records: readonly { preference: number; exchange: string }[],
): string | undefined {
  const [first] = records.toSorted((a, b) => a.preference - b.preference)
  const name = first?.exchange.toLowerCase() ?? ''
  const server = name.endsWith('.') ? name.slice(0, -1) : name
  return servers.find(([end]) => server === end || server.endsWith(`.${end}`))?.[1]
}

/**
 * The large mailbox providers have many domains each, and judge a sender over all of them. Domains
 * of others at these providers are known by their mail servers (`createProviderFinder`).
 */
const domainsOf: Readonly<Record<string, readonly string[]>> = {
  gmail: ['gmail.com', 'googlemail.com'],
  microsoft: [
    'outlook.com',
    'outlook.de',
    'outlook.fr',
    'hotmail.com',
    'hotmail.co.uk',
    'hotmail.de',
    'hotmail.fr',
    'hotmail.it',
    'live.com',
    'live.co.uk',
    'live.fr',
    'live.nl',
    'msn.com',
  ],
  yahoo: [
    'yahoo.com',
    'yahoo.co.uk',
    'yahoo.de',
    'yahoo.es',
    'yahoo.fr',
    'yahoo.it',
    'ymail.com',
    'rocketmail.com',
    'aol.com',
  ],
  apple: ['icloud.com', 'me.com', 'mac.com'],
}

const providersByDomain = new Map(
  Object.entries(domainsOf).flatMap(([provider, domains]) =>
    domains.map((domain) => [domain, provider] as const),
  ),
)

/**
 * Texts have one provider, because the carrier of a number is not known here. The name is not
 * empty, because the row with an empty name holds the domain's rate.
 */
export const textProvider = 'network'

const domainOf = (address: string) => address.slice(address.lastIndexOf('@') + 1).toLowerCase()

/** The large provider whose own domain this is. */
const largeProvider = (domain: string): string | undefined => providersByDomain.get(domain)
