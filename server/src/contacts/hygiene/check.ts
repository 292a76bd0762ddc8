import { type BusinessContext, operation } from '../../core/operation.ts'
import { untrusted } from '../../core/untrusted.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Resolver } from '../../lib/dns/resolver.ts'
import { countAttempt } from '../../lib/rate-limit/attempts.ts'
import { Type } from '../../lib/schema/schema.ts'
import { hours, seconds } from '../../lib/time/clock.ts'
import { judgeDomains, proposalsFor, roles, sumOf } from './judge-domains.ts'
import { countAddresses, countDomains } from './queries.ts'

export const checkLimits = {
  /** Checks per hour by one business. */
  perHour: 20,
  /** The number of newest contacts that are read. */
  newest: 200_000,
  patienceMs: seconds(8),
  /** The most domains of each kind that are listed. */
  shown: 50,
} as const

export interface CheckParts {
  domains: { resolver: Resolver; vault: Vault }
}

const count = (description: string) => Type.Integer({ description })
const domainCount = { domain: Type.String(), contacts: Type.Integer() }

export function contactCheck({ domains: { resolver, vault } }: CheckParts) {
  return operation({
    name: 'contact.check',
    title: 'Check addresses',
    area: 'contacts',
    summary:
      'How clean the list is: contacts at domains without mail (by DNS), likely typos, role and disposable addresses, subscribed without evidence. No mailbox is probed; changes nothing.',
    reach: 'business',
    scope: 'audience:read',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: true },
    rest: 'POST /v1/contacts/check',
    input: {},
    output: Type.Object({
      contacts: count(`That were read: the newest ${checkLimits.newest.toLocaleString('en')}.`),
      emails: count('Of them with an email address.'),
      without_mail: count('Contacts at a domain that takes no mail.'),
      typos: count('Contacts at a domain that looks like a misspelt one.'),
      roles: count('Contacts with an address such as info@.'),
      throw_away: count('Contacts with an address for a day.'),
      subscribed: count('Contacts who agreed to email.'),
      without_evidence: count('Of them those of whom neither words nor an IP address are kept.'),
      domains: Type.Object({
        all: Type.Integer(),
        asked: count('DNS answered for so many, those of most contacts first.'),
      }),
      untrusted: untrusted({
        most_frequent: Type.Object({
          without_mail: Type.Array(Type.Object(domainCount)),
          typos: Type.Array(Type.Object({ ...domainCount, meant: Type.String() })),
          throw_away: Type.Array(Type.Object(domainCount)),
        }),
      }),
      proposals: Type.Array(Type.String()),
    }),

    async run(context) {
      await countCheck(context, vault)
      return check(context, resolver)
    },
  })
}

/** Refuses more checks than a business may have in an hour. */
async function countCheck({ db, business, now }: BusinessContext, vault: Vault): Promise<void> {
  const { perHour: limit } = checkLimits
  const attempt = { purpose: 'contact.check', subject: business.id, limit, windowMs: hours(1), now }
  const over = await countAttempt(db, vault, attempt)
  if (over) throw over
}

async function check({ db, business }: BusinessContext, resolver: Resolver) {
  const { newest, patienceMs, shown } = checkLimits
  const [domains, counts] = await Promise.all([
    countDomains(db, business.id, { newest, patienceMs }),
    countAddresses(db, business.id, { newest, patienceMs, roles }),
  ])
  const judged = await judgeDomains(resolver, domains)
  const findings = {
    without_mail: sumOf(judged.withoutMail),
    typos: sumOf(judged.typos),
    roles: counts.roles,
    throw_away: sumOf(judged.throwAway),
    without_evidence: counts.withoutEvidence,
  }
  return {
    contacts: counts.read,
    emails: counts.emails,
    subscribed: counts.subscribed,
    ...findings,
    domains: { all: domains.length, asked: judged.asked },
    untrusted: {
      most_frequent: {
        without_mail: judged.withoutMail.slice(0, shown),
        typos: judged.typos.slice(0, shown),
        throw_away: judged.throwAway.slice(0, shown),
      },
    },
    proposals: proposalsFor(findings),
  }
}
