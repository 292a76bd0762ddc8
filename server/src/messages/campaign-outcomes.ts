/** Reports the outcomes of messages to their campaigns, in the transaction that changes them. */

import type { Id } from '../core/ids.ts'
import type { Tx } from '../lib/db/types.ts'
import type { MessageState } from './message.ts'

/** Later events of a message that are reported to campaigns. */
export type SettledEvent =
  | 'delivered'
  | 'bounced'
  | 'deferred'
  | 'complained'
  | 'opened'
  | 'clicked'
  | 'unsubscribed'

/** A campaign's message that reached its final state, or about which a report arrived. */
export interface Settled {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  contactId: Id<'contact'> | null
  messageId: Id<'message'>
  /** The current state. */
  state: MessageState
  /** Why it was not sent: the reason of the suppression, or the code of a refusal. */
  reason?: string
  event?: SettledEvent
  /** For opens and clicks: whether a scanner or a mail proxy made it. */
  machine?: boolean
  /** For clicks: the URL that the link leads to. */
  url?: string
  /** The provider that receives it, once it was tried. */
  provider?: string | null
  /** The provider postponed it for the first time. */
  isFirstDeferral?: boolean
  /** The provider refused it, but not because the address does not exist. */
  refusal?: { byPolicy: boolean; words: string }
  /** The words with which it was refused for now, because the sender lacks something. */
  lackWords?: string
  /** The recipient is not tracked, so only the campaign's anonymous totals count the event. */
  isAnonymous?: boolean
}

export interface Outcomes {
  settled(tx: Tx, rows: Settled[], now: Date): Promise<void>
}

/** A message as statements return it. */
export interface OfCampaign {
  businessId: Id<'business'>
  id: Id<'message'>
  campaignId: Id<'campaign'> | null
  contactId: Id<'contact'> | null
}

/** Reports the outcomes of those messages that belong to a campaign. */
export async function tellOutcomes(
  tx: Tx,
  outcomes: Outcomes,
  rows: readonly (OfCampaign &
    Pick<
      Settled,
      | 'state'
      | 'reason'
      | 'event'
      | 'machine'
      | 'url'
      | 'provider'
      | 'isFirstDeferral'
      | 'refusal'
      | 'lackWords'
      | 'isAnonymous'
    >)[],
  now: Date,
): Promise<void> {
  const theirs = rows.flatMap(({ campaignId, id, ...row }): Settled[] =>
    campaignId === null ? [] : [{ ...row, messageId: id, campaignId }],
  )
  if (theirs.length > 0) await outcomes.settled(tx, theirs, now)
}
