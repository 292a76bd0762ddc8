/**
 * What came of a campaign's messages by the provider that receives them: counters that follow those
 * of the campaign, and the words of refusals.
 */

import type { Id } from '../../core/ids.ts'
import { plannedAnew, sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Settled } from '../../messages/campaign-outcomes.ts'

/** The most providers of a campaign that are counted separately, and the most words of each. */
export const providerLimits = { providers: 200, words: 20, wordsOfCampaign: 2_000 } as const

/** Rows per counter: two simultaneous flushes seldom use the same one. */
const slots = 8

/** What changed for a recipient. */
export interface ProviderNews {
  recipient: Pick<ProviderCounts, 'businessId' | 'campaignId'>
  news: readonly Settled[]
  /** How the campaign's own counters change. */
  deltas: readonly { metric: string; amount: number }[]
}

export async function countProviders(tx: Tx, changes: readonly ProviderNews[]): Promise<void> {
  const counts = new Map<string, ProviderCounts>()
  const words = new Map<string, ProviderWords>()
  for (const change of changes) {
    const provider = change.news.find((settled) => settled.provider)?.provider
    if (!provider) continue
    const { businessId, campaignId } = change.recipient
    const key = { businessId, campaignId, provider }
    const name = `${campaignId} ${provider}`
    const sums = counts.get(name) ?? { ...key, ...none }
    counts.set(name, added(sums, change))
    for (const { refusal, lackWords } of change.news) {
      const text = refusal?.words ?? lackWords
      if (text === undefined) continue
      const counted = words.get(`${name} ${text}`) ?? { ...key, words: text, amount: 0 }
      words.set(`${name} ${text}`, { ...counted, amount: counted.amount + 1 })
    }
  }
  const changed = [...counts.values()].filter(isChanged)
  if (changed.length === 0) return
  const slot = Math.floor(Math.random() * slots)
  await addToProviders(tx, changed, { slot, limit: providerLimits.providers })
  const limits = { limit: providerLimits.words, mostOfCampaign: providerLimits.wordsOfCampaign }
  if (words.size > 0) await addToWords(tx, [...words.values()], limits)
}

const none = {
  sent: 0,
  delivered: 0,
  deferred: 0,
  refused: 0,
  refusedByPolicy: 0,
  bounced: 0,
  complained: 0,
}

function added(sums: ProviderCounts, { news, deltas }: ProviderNews): ProviderCounts {
  const of = (metric: string) =>
    deltas.reduce((sum, delta) => (delta.metric === metric ? sum + delta.amount : sum), 0)
  const refusals = news.flatMap(({ refusal }) => refusal ?? [])
  return {
    ...sums,
    sent: sums.sent + of('sent'),
    delivered: sums.delivered + of('delivered'),
    deferred: sums.deferred + news.filter(({ isFirstDeferral }) => isFirstDeferral).length,
    refused: sums.refused + refusals.length,
    refusedByPolicy: sums.refusedByPolicy + refusals.filter(({ byPolicy }) => byPolicy).length,
    bounced: sums.bounced + of('bounced'),
    complained: sums.complained + of('complained'),
  }
}

const isChanged = (counts: ProviderCounts) =>
  Object.keys(none).some((name) => counts[name as keyof typeof none] !== 0)

interface Key {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
}

/** Counters of a campaign's recipients at one provider. */
export interface ProviderCounts extends Key {
  provider: string
  sent: number
  delivered: number
  /** Postponed by the provider at least once. */
  deferred: number
  /** Refused for good, though the address may exist. */
  refused: number
  /** How many of these because the provider refuses the sender. */
  refusedByPolicy: number
  bounced: number
  complained: number
}

/**
 * Adds to counters. Beyond the most providers of a campaign, new ones count together under the empty
 * name.
 */
export function addToProviders(
  tx: Tx,
  rows: readonly ProviderCounts[],
  { slot, limit }: { slot: number; limit: number },
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      with new as (
        select * from unnest(
          ${rows.map((row) => row.businessId)}::uuid[],
          ${rows.map((row) => row.campaignId)}::uuid[],
          ${rows.map((row) => row.provider)}::text[],
          ${rows.map((row) => row.sent)}::bigint[],
          ${rows.map((row) => row.delivered)}::bigint[],
          ${rows.map((row) => row.deferred)}::bigint[],
          ${rows.map((row) => row.refused)}::bigint[],
          ${rows.map((row) => row.refusedByPolicy)}::bigint[],
          ${rows.map((row) => row.bounced)}::bigint[],
          ${rows.map((row) => row.complained)}::bigint[]
        ) as new (business_id, campaign_id, provider, sent, delivered, deferred, refused,
          refused_by_policy, bounced, complained)
      ), named as (
        select new.*, case when exists (
            select from campaign_provider_counts c
            where c.business_id = new.business_id and c.campaign_id = new.campaign_id
              and c.provider = new.provider
          ) or (
            select count(distinct c.provider) from campaign_provider_counts c
            where c.business_id = new.business_id and c.campaign_id = new.campaign_id
          ) < ${limit} then new.provider else '' end as name
        from new
      )
      insert into campaign_provider_counts as known (business_id, campaign_id, provider, slot, sent,
        delivered, deferred, refused, refused_by_policy, bounced, complained)
      select business_id, campaign_id, name, ${slot}, sum(sent), sum(delivered), sum(deferred),
        sum(refused), sum(refused_by_policy), sum(bounced), sum(complained)
      from named group by business_id, campaign_id, name
      order by business_id, campaign_id, name
      on conflict (business_id, campaign_id, provider, slot) do update set
        sent = known.sent + excluded.sent, delivered = known.delivered + excluded.delivered,
        deferred = known.deferred + excluded.deferred, refused = known.refused + excluded.refused,
        refused_by_policy = known.refused_by_policy + excluded.refused_by_policy,
        bounced = known.bounced + excluded.bounced,
        complained = known.complained + excluded.complained
    `),
  )
}

interface ProviderWords extends Key {
  provider: string
  words: string
  amount: number
}

/** Counts words of refusals, up to the most of a provider and of a campaign. */
export function addToWords(
  tx: Tx,
  rows: readonly ProviderWords[],
  { limit, mostOfCampaign }: { limit: number; mostOfCampaign: number },
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      insert into campaign_provider_words as known (business_id, campaign_id, provider, words,
        amount)
      select business_id, campaign_id, provider, words, amount
      from unnest(
        ${rows.map((row) => row.businessId)}::uuid[],
        ${rows.map((row) => row.campaignId)}::uuid[],
        ${rows.map((row) => row.provider)}::text[],
        ${rows.map((row) => row.words)}::text[],
        ${rows.map((row) => row.amount)}::bigint[]
      ) as new (business_id, campaign_id, provider, words, amount)
      where exists (
        select from campaign_provider_words w
        where w.business_id = new.business_id and w.campaign_id = new.campaign_id
          and w.provider = new.provider and w.words = new.words
      ) or (
        select count(*) from campaign_provider_words w
        where w.business_id = new.business_id and w.campaign_id = new.campaign_id
          and w.provider = new.provider
      ) < ${limit} and (
        select count(*) from campaign_provider_words w
        where w.business_id = new.business_id and w.campaign_id = new.campaign_id
      ) < ${mostOfCampaign}
      order by business_id, campaign_id, provider, words
      on conflict (business_id, campaign_id, provider, words) do update
      set amount = known.amount + excluded.amount
    `),
  )
}

/** The counters by provider, those with the most recipients first; the empty name at the end. */
export function listProviders(
  db: Db,
  { businessId, campaignId }: Key,
  limit: number,
): Promise<Omit<ProviderCounts, keyof Key>[]> {
  return db.all(sql`
    select provider, sum(sent)::bigint as sent, sum(delivered)::bigint as delivered,
      sum(deferred)::bigint as deferred, sum(refused)::bigint as refused,
      sum(refused_by_policy)::bigint as "refusedByPolicy", sum(bounced)::bigint as bounced,
      sum(complained)::bigint as complained
    from campaign_provider_counts
    where business_id = ${businessId} and campaign_id = ${campaignId}
    group by provider
    order by provider = '', sum(sent) + sum(refused) desc, provider limit ${limit}
  `)
}

/** The commonest words of each provider's refusals, the commonest first. */
export function listWords(
  db: Db,
  { businessId, campaignId }: Key,
  { providers, limit }: { providers: readonly string[]; limit: number },
): Promise<Omit<ProviderWords, keyof Key>[]> {
  return db.all(sql`
    select provider, words, amount from (
      select provider, words, amount,
        row_number() over (partition by provider order by amount desc, words) as place
      from campaign_provider_words
      where business_id = ${businessId} and campaign_id = ${campaignId}
        and provider = any(${providers}::text[])
    ) ranked
    where place <= ${limit} order by provider, place
  `)
}
