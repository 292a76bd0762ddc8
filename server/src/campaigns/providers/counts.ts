/**
 * What came of a campaign's messages by the provider that receives them: counters that follow those
 * of the campaign, and the words of refusals.
 */

import type { Tx } from '../../lib/db/types.ts'
import type { Settled } from '../../messages/model/campaign-outcomes.ts'
import { addToProviders, addToWords, type ProviderCounts, type ProviderWords } from './queries.ts'

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
  await addToProviders(tx, changed, { slot, most: providerLimits.providers })
  const limits = { most: providerLimits.words, mostOfCampaign: providerLimits.wordsOfCampaign }
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
