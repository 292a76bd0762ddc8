/**
 * Records the outcomes of a campaign's messages for its recipients, in the transaction in which
 * they commit.
 */

import type { Tx } from '../../lib/db/types.ts'
import type { Outcomes, Settled } from '../../messages/campaign-outcomes.ts'
import { eligibilityOf } from '../model/recipient.ts'
import { countProviders, type ProviderNews } from '../providers/counts.ts'
import {
  addCounts,
  addSeries,
  type ChangedRecipient,
  type CountDelta,
  deltasOf,
  type LockedRecipient,
  lockRecipients,
  marksOf,
  updateRecipients,
} from './counts.ts'
import { countLinks } from './links.ts'

export const campaignOutcomes: Outcomes = {
  async settled(tx, rows, now) {
    const byMessage = Map.groupBy(
      rows.filter(({ contactId }) => contactId !== null),
      ({ messageId }) => messageId,
    )
    const recipients = await lockRecipients(tx, [...byMessage.values()].flatMap(keyOf))
    const anonymous = rows.filter(({ isAnonymous }) => isAnonymous)
    if (anonymous.length > 0) await countAnonymous(tx, anonymous, recipients)
    const identified = rows.filter(({ isAnonymous }) => !isAnonymous)
    const news = Map.groupBy(identified, ({ messageId }) => messageId)
    const changes: ChangedRecipient[] = []
    const deltas: CountDelta[] = []
    const byProvider: ProviderNews[] = []
    for (const recipient of recipients) {
      // After a resend, only the last message counts for the recipient.
      const its = recipient.messageId && news.get(recipient.messageId)
      if (!its) continue
      const change = changeOf(recipient, its)
      const added = change ? countsOf(recipient, change) : []
      if (change) changes.push(change)
      deltas.push(...added)
      byProvider.push({ recipient, news: its, deltas: added })
    }
    if (changes.length > 0) await write(tx, { changes, deltas, now })
    await countProviders(tx, byProvider)
    const clicks = identified.filter(({ event }) => event === 'clicked')
    if (clicks.length > 0) await countLinks(tx, clicks)
  },
}

/** Leaves out visits by machines, which nobody needs to know of people who are not tracked. */
async function countAnonymous(
  tx: Tx,
  rows: readonly Settled[],
  recipients: readonly LockedRecipient[],
): Promise<void> {
  const visits = rows.filter(({ machine }) => !machine)
  const variants = new Map(recipients.map((recipient) => [recipient.messageId, recipient.variant]))
  const deltas = visits.map(({ businessId, campaignId, messageId, event }) => ({
    businessId,
    campaignId,
    variant: variants.get(messageId) ?? 0,
    metric: `${event}_anonymously`,
    amount: 1,
  }))
  await addCounts(tx, deltas)
}

interface Written {
  changes: ChangedRecipient[]
  deltas: CountDelta[]
  now: Date
}

async function write(tx: Tx, { changes, deltas, now }: Written): Promise<void> {
  await Promise.all([
    updateRecipients(tx, changes, now),
    addCounts(tx, deltas),
    addSeries(tx, deltas, now),
  ])
}

function keyOf([first]: Settled[]) {
  if (!first?.contactId) return []
  const { businessId, campaignId, contactId } = first
  return [{ businessId, campaignId, contactId }]
}

/** The recipient's change; undefined if the events change nothing. */
function changeOf(recipient: LockedRecipient, news: Settled[]): ChangedRecipient | undefined {
  const last = news.at(-1)
  if (!last) return undefined
  const next = eligibilityOf(last)
  const marks = news.reduce((all, settled) => all | marksOf(settled), recipient.marks)
  const state = next.state ?? recipient.state
  if (state === recipient.state && marks === recipient.marks) return undefined
  const { businessId, campaignId, contactId } = recipient
  return { businessId, campaignId, contactId, state, reason: next.reason, marks }
}

function countsOf(recipient: LockedRecipient, change: ChangedRecipient): CountDelta[] {
  const { businessId, campaignId, variant, state: was, marks: had } = recipient
  const { state, reason, marks } = change
  return [...deltasOf({ was, state, reason, had, marks })].map(([metric, amount]) => {
    return { businessId, campaignId, variant: variant ?? 0, metric, amount }
  })
}
