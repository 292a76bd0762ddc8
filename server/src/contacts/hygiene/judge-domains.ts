/**
 * Finds addresses that are probably wrong by their domains and their names alone, of contacts and of
 * the rows of a file. No mailbox is probed.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Resolver } from '../../lib/dns/resolver.ts'
import { type CompactList, compactList } from '../../lib/text/compact-list.ts'
import { seconds } from '../../lib/time/clock.ts'
import { providerMeant } from './likely-typos.ts'
import { domainsWithoutMail } from './mail-domains.ts'
import type { DomainCount } from './queries.ts'

export const domainLimits = {
  /** The most domains looked up in DNS, those of most contacts first, and the time limit. */
  asked: 200,
  dnsMs: seconds(8),
} as const

/** Addresses that are read by the current holder of a role. */
export const roles = [
  'abuse',
  'accounts',
  'admin',
  'administrator',
  'billing',
  'contact',
  'enquiries',
  'help',
  'hostmaster',
  'hr',
  'info',
  'it',
  'jobs',
  'mail',
  'marketing',
  'no-reply',
  'noreply',
  'office',
  'orders',
  'postmaster',
  'press',
  'reception',
  'sales',
  'security',
  'service',
  'support',
  'team',
  'webmaster',
]

export interface JudgedDomains {
  withoutMail: DomainCount[]
  typos: (DomainCount & { meant: string })[]
  throwAway: DomainCount[]
  /** For how many DNS answered in time. */
  asked: number
}

/** `domains`: those of most contacts first. */
export async function judgeDomains(
  resolver: Resolver,
  domains: readonly DomainCount[],
): Promise<JudgedDomains> {
  const typos = domains.flatMap((count) => {
    const meant = providerMeant(count.domain)
    return meant === undefined ? [] : [{ ...count, meant }]
  })
  // Lists of throw-away domains contain misspelt names of providers as well.
  const misspelt = new Set(typos.map(({ domain }) => domain))
  const throwAway = throwAwayAmong(domains.filter(({ domain }) => !misspelt.has(domain)))
  const common = domains.slice(0, domainLimits.asked).map(({ domain }) => domain)
  const signal = AbortSignal.timeout(domainLimits.dnsMs)
  const answered = await domainsWithoutMail(resolver, common, signal)
  const without = new Set(answered.without)
  const withoutMail = domains.filter(({ domain }) => without.has(domain))
  return { withoutMail, typos, throwAway, asked: answered.asked }
}

export const sumOf = (domains: readonly DomainCount[]) =>
  domains.reduce((sum, { contacts }) => sum + contacts, 0)

const require = createRequire(import.meta.url)
let cachedList: CompactList | undefined

/**
 * A list of 50,000 domains, which is read at the first check from the source of its package. As a
 * loaded module it would hold 6 MB for good.
 */
function throwAwayDomains(): CompactList {
  if (cachedList) return cachedList
  const source = readFileSync(require.resolve('mailchecker'), 'utf8')
  const [, rest = ''] = source.split('new Set(', 2)
  const [code = ''] = rest.split(')', 1)
  cachedList = compactList(JSON.parse(code) as string[])
  return cachedList
}

function throwAwayAmong(domains: readonly DomainCount[]): DomainCount[] {
  const listed = throwAwayDomains()
  const isListed = (domain: string) => {
    const parts = domain.split('.')
    return parts.some((_, n) => n < parts.length - 1 && listed.has(parts.slice(n).join('.')))
  }
  return domains.filter(({ domain }) => isListed(domain))
}

export function proposalsFor(found: Record<string, number>): string[] {
  const { without_mail = 0, typos = 0, throw_away = 0, without_evidence = 0 } = found
  return [
    ...(without_mail > 0
      ? ['Suppress the contacts at domains without mail: each mail to them bounces.']
      : []),
    ...(typos > 0 ? ['Look at the misspelt domains, and ask the people for their address.'] : []),
    ...(throw_away > 0 ? ['Leave the throw-away addresses out of campaigns.'] : []),
    ...(without_evidence > 0
      ? [
          'Ask those who are subscribed without evidence to confirm, before the next campaign: nothing shows that they agreed.',
        ]
      : []),
  ]
}
