/**
 * Checks which messages of a flush the approval limit allows, and undoes the writes of refused
 * messages.
 */

import type { Recipient } from '../../contacts/recipients.ts'
import { isRefusal, type Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { approvalRefusal, lockAllowance } from '../../usage/approval-limit.ts'
import { takeOfConnections } from '../../usage/connection-limit.ts'
import { messagesToCount } from './same-message.ts'
import { freeRecent } from './save-queries.ts'
import type { MessageToSave, SavedMessage } from './to-save.ts'

/** A message that may be sent, and the index of its outcome. */
export interface Accepted {
  place: number
  item: MessageToSave
  recipient: Recipient
  id: Id<'message'>
  hash: Buffer
}

export interface Outcomes {
  outcomes: (SavedMessage | Refusal)[]
  now: Date
}

export const rowOf = ({ item, hash, id }: Accepted) => ({
  businessId: item.businessId,
  hash,
  messageId: id,
})

export const reachOf = ({ item: { businessId, sendAt } }: Accepted, now: Date) => {
  return { businessId, at: sendAt ?? now, amount: 1 }
}

interface WithinLimit {
  accepted: Accepted[]
  /** Marketing without an approval, which counts against the limit. */
  counted: ReadonlySet<Accepted>
}

/** Returns the messages that need no approval. Only marketing costs a statement here. */
export async function withinLimit(
  tx: Tx,
  all: Accepted[],
  { outcomes, now }: Outcomes,
): Promise<WithinLimit> {
  const marketing = all.filter(({ item }) => item.kind === 'marketing')
  if (marketing.length === 0) return { accepted: all, counted: new Set() }
  const allowance = await lockAllowance(
    tx,
    marketing.map((accepted) => reachOf(accepted, now)),
  )
  const counted = new Set(
    marketing.filter(({ item }) => !item.byApprover || allowance.needsTwoPeople(item.businessId)),
  )
  const refused = new Map<Id<'message'>, Refusal>()
  for (const one of counted) {
    if (allowance.take(reachOf(one, now))) continue
    const { businessId, channel, template } = one.item
    const { subject, html, text } = one.item.asked ?? one.item.content
    const words = { channel, ...(!template && { content: { subject, html, text } }) }
    refused.set(one.id, approvalRefusal(allowance.limitOf(businessId), words))
  }
  return { accepted: await withoutRefused(tx, all, { outcomes, refused }), counted }
}

/** Returns the messages that their connection may send today. Other messages cost nothing here. */
export async function withinConnectionLimits(
  tx: Tx,
  all: Accepted[],
  { outcomes, now }: Outcomes,
): Promise<Accepted[]> {
  const limited = all.filter(({ item }) => item.connectionLimit)
  if (limited.length === 0) return all
  const messages = await messagesToCount(tx, limited)
  const ordered = limited.flatMap(({ id, item: { businessId, kind, connectionLimit: limit } }) =>
    limit ? [{ id, businessId, limit, recipients: 1, kind, oneMessage: messages.get(id) }] : [],
  )
  const refusals = await takeOfConnections(tx, ordered, now)
  const refused = new Map<Id<'message'>, Refusal>()
  for (const [i, { id }] of ordered.entries()) {
    const refusal = refusals[i]
    if (refusal) refused.set(id, refusal)
  }
  return withoutRefused(tx, all, { outcomes, refused })
}

interface Refused {
  outcomes: Outcomes['outcomes']
  refused: ReadonlyMap<Id<'message'>, Refusal>
}

/** Returns the messages that are not refused. Refused messages leave nothing behind. */
export async function withoutRefused(
  tx: Tx,
  all: Accepted[],
  { outcomes, refused }: Refused,
): Promise<Accepted[]> {
  if (refused.size === 0) return all
  const over = all.filter(({ id }) => refused.has(id))
  await freeRecent(tx, over.map(rowOf))
  for (const { place, id } of over) outcomes[place] = refused.get(id) as Refusal
  for (const [place, outcome] of outcomes.entries()) {
    // If a message is refused, its repeat is refused too.
    const refusal = outcome && !isRefusal(outcome) && refused.get(outcome.id)
    if (refusal) outcomes[place] = refusal
  }
  return all.filter((accepted) => !refused.has(accepted.id))
}
