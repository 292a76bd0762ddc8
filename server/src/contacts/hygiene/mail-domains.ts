/** Finds the domains that accept no mail, by DNS alone. No server of these domains is contacted. */
import type { Resolver } from '../../lib/dns/resolver.ts'

/** How many domains are looked up at the same time. */
const atOnce = 20

export interface MailDomains {
  /** Domains that accept no mail: no MX and no address, or an MX that says so (RFC 7505). */
  without: string[]
  /** How many lookups were answered within the time limit. */
  asked: number
}

export async function domainsWithoutMail(
  resolver: Resolver,
  domains: readonly string[],
  signal: AbortSignal,
): Promise<MailDomains> {
  const result: MailDomains = { without: [], asked: 0 }
  const queue = domains.values()
  const ask = async () => {
    for (const domain of queue) {
      if (signal.aborted) return
      const takes = await takesMail(resolver, domain, signal)
      if (takes === undefined) continue
      result.asked += 1
      if (!takes) result.without.push(domain)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, ask))
  return result
}

/** Undefined if the domain's servers did not answer, which proves nothing about the domain. */
async function takesMail(
  resolver: Resolver,
  domain: string,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const mx = await resolver.lookup(domain, 'MX', signal)
  if (mx.outcome === 'failed') return mx.failure === 'malformed' ? false : undefined
  if (mx.outcome === 'found') return mx.records.some(({ exchange }) => !isNull(exchange))
  // Without an MX, mail is sent to the address itself (RFC 5321, section 5.1).
  const address = await resolver.lookup(domain, 'A', signal)
  return address.outcome === 'failed' ? undefined : address.outcome === 'found'
}

const isNull = (exchange: string) => exchange === '' || exchange === '.'
