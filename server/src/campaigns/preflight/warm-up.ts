/** The warm-up of a campaign's sender: what it means for the plan, and who goes first meanwhile. */

import { isRefusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { FindProvider } from '../../messages/throttle/provider.ts'
import type { WarmUp, WarmUpLine, WarmUpOf } from '../../sender-domains/model/warm-up.ts'
import type { Senders } from '../../sender-domains/senders/senders.ts'
import { type AudienceAsked, countByDomain, rangeEnd } from '../audience/audience.ts'

export interface WarmUpParties {
  warmUpOf: WarmUpOf
  findProvider: FindProvider
}

/** The most domains looked at, those with the most recipients first. */
const domainsLooked = 200
/** The most domains of which DNS is asked who receives their mail. */
const domainsAsked = 30
const perStatement = 50_000

/** Undefined where nothing limits the sender, or the campaign fits into the first day. */
export async function planWarmUp(
  { db, warmUpOf, findProvider }: WarmUpParties & { db: Db },
  audienceQuery: Omit<AudienceAsked, 'range'>,
  { domain, recipients }: { domain: string; recipients: number },
): Promise<ProviderPlan[] | undefined> {
  const warmUp =
    audienceQuery.channel === 'email' ? await warmUpOf(audienceQuery.businessId, domain) : undefined
  const [first = 0] = warmUp?.days ?? []
  if (!warmUp || recipients + mostOfToday(warmUp) <= first) return undefined
  const counts = new Map<string, number>()
  const domains = await recipientDomains(db, audienceQuery)
  await Promise.all(
    domains.map(async ([name, count], index) => {
      const provider = index < domainsAsked ? await findProvider(`@${name}`) : name
      counts.set(provider, (counts.get(provider) ?? 0) + count)
    }),
  )
  return planOfProviders(counts, warmUp)
}

const mostOfToday = ({ providers }: WarmUp) =>
  Math.max(0, ...providers.map(({ sentToday }) => sentToday))

/** Those with the most recipients first. */
async function recipientDomains(
  db: Db,
  audienceQuery: Omit<AudienceAsked, 'range'>,
): Promise<[domain: string, count: number][]> {
  const counts = new Map<string, number>()
  let after: Id<'contact'> | null = null
  for (;;) {
    const end: { id: Id<'contact'> } | undefined = await rangeEnd(db, audienceQuery.businessId, {
      after,
      size: perStatement,
    })
    const range = { after, upTo: end?.id ?? null }
    for (const { domain, count } of await countByDomain(
      db,
      { ...audienceQuery, range },
      domainsLooked,
    )) {
      counts.set(domain, (counts.get(domain) ?? 0) + count)
    }
    if (!end) break
    after = end.id
  }
  return [...counts].toSorted(([, a], [, b]) => b - a).slice(0, domainsLooked)
}

/** Whether those who opened or clicked lately get the campaign first. */
export async function goesToReadersFirst(
  { senders, warmUpOf }: { senders: Senders; warmUpOf: WarmUpOf },
  businessId: Id<'business'>,
): Promise<boolean> {
  const sender = await senders.senderOf(businessId)
  const warmUp = isRefusal(sender) ? undefined : await warmUpOf(businessId, sender.domain)
  return warmUp !== undefined && isWarming(warmUp)
}

export interface ProviderPlan {
  provider: string
  recipients: number
  days: number
}

/** The days that this many messages take, today included. */
export function daysFor(
  recipients: number,
  { sentToday, daysLeft }: Pick<WarmUpLine, 'sentToday' | 'daysLeft'>,
  limits: readonly number[],
): number {
  let remaining = recipients + sentToday
  let day = limits.length - daysLeft
  for (; day < limits.length; day++) {
    remaining -= limits[day] ?? 0
    if (remaining <= 0) break
  }
  return day - (limits.length - daysLeft) + 1
}

/** The providers that take the longest, the longest first. */
export function planOfProviders(
  recipients: ReadonlyMap<string, number>,
  { days: limits, providers, newProvider }: WarmUp,
): ProviderPlan[] {
  const lines = new Map(providers.map((line) => [line.provider, line]))
  return [...recipients]
    .map(([provider, count]) => ({
      provider,
      recipients: count,
      days: daysFor(count, lines.get(provider) ?? { ...newProvider, sentToday: 0 }, limits),
    }))
    .toSorted((a, b) => b.days - a.days || b.recipients - a.recipients)
}

const large = ['gmail', 'microsoft', 'yahoo', 'apple']

/** Whether those who read the mail should get it first, because not all of it goes out at once. */
export function isWarming({ providers, newProvider }: WarmUp): boolean {
  const largeProviders = providers.filter(({ provider }) => large.includes(provider))
  if (largeProviders.length === 0) return newProvider.daysLeft > 0
  return largeProviders.some(({ daysLeft }) => daysLeft > 0)
}
