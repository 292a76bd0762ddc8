/**
 * Resolves names that strangers gave. Names of the internet are queried over DNS directly:
 * `dns.lookup` occupies one of four threads for as long as a name server is silent, and four such
 * names would block every lookup, file operation and cipher of the process.
 */
import dns, { Resolver } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { ignoreError } from '../concurrency/ignore-error.ts'
import { seconds } from '../time/clock.ts'

export type Resolve = (hostname: string) => Promise<string[]>

export interface ResolveOptions {
  /** `address:port` of servers to query instead of the machine's own. */
  servers?: readonly string[]
}

const timeoutMs = seconds(1.5)

export function createResolve({ servers }: ResolveOptions = {}): Resolve {
  return async (hostname) => {
    if (await isOurs(hostname)) {
      const found = await dns.lookup(hostname, { all: true })
      return found.map(({ address }) => address)
    }
    const resolver = new Resolver({ timeout: timeoutMs, tries: 2 })
    if (servers) resolver.setServers(servers)
    const [four, six] = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ])
    const found = [four, six].flatMap((result) =>
      result.status === 'fulfilled' ? result.value : [],
    )
    if (found.length === 0 && four.status === 'rejected') throw four.reason
    return found
  }
}

/** Whether no stranger can own the name: one word, a link-local name, or in the hosts file. */
async function isOurs(hostname: string): Promise<boolean> {
  const name = hostname.replace(/\.$/, '').toLowerCase()
  if (!name.includes('.') || name.endsWith('.local')) return true
  const hosts = await ignoreError(
    'without the file there are no such names',
    readFile('/etc/hosts'),
  )
  const words = (hosts?.toString() ?? '').replaceAll(/#.*/g, '').toLowerCase().split(/\s+/)
  return words.includes(name)
}
