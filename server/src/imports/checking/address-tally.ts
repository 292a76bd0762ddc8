/** Counts which email addresses of a file are probably wrong, as `contact.check` does of contacts. */
import { judgeDomains, proposalsFor, roles, sumOf } from '../../contacts/hygiene/judge-domains.ts'
import type { Resolver } from '../../lib/dns/resolver.ts'
import { type FoundAddresses, importLimits } from '../model/import.ts'

export interface AddressTally {
  add(email: string | undefined): void
  judge(resolver: Resolver): Promise<FoundAddresses>
}

export function createAddressTally(mostDomains: number = importLimits.domains): AddressTally {
  const domains = new Map<string, number>()
  const ofRoles = new Set(roles)
  let inRoles = 0
  return {
    add(email) {
      if (email === undefined) return
      const at = email.lastIndexOf('@')
      if (ofRoles.has(email.slice(0, at).toLowerCase())) inRoles++
      const domain = email.slice(at + 1)
      const count = domains.get(domain)
      if (count === undefined && domains.size >= mostDomains) return
      domains.set(domain, (count ?? 0) + 1)
    },
    async judge(resolver) {
      const all = [...domains]
        .map(([domain, contacts]) => ({ domain, contacts }))
        .sort((a, b) => b.contacts - a.contacts)
      const {
        withoutMail,
        typos,
        throwAway,
        asked: checkedCount,
      } = await judgeDomains(resolver, all)
      const counts = {
        without_mail: sumOf(withoutMail),
        typos: sumOf(typos),
        roles: inRoles,
        throw_away: sumOf(throwAway),
      }
      const examplesOf = <T>(list: readonly T[]) => list.slice(0, importLimits.domainsShown)
      return {
        ...counts,
        domains: { all: all.length, asked: checkedCount },
        proposals: proposalsFor(counts),
        examples: {
          without_mail: examplesOf(withoutMail),
          typos: examplesOf(typos),
          throw_away: examplesOf(throwAway),
        },
      }
    },
  }
}
