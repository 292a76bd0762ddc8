/** Whoever runs campaigns hears what becomes of their messages, in the transaction it commits in. */

import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { MessageState } from './message.ts'

/** What later news of a message were about. */
export type SettledEvent =
  | 'delivered'
  | 'bounced'
  | 'deferred'
  | 'complained'
  | 'opened'
  | 'clicked'
  | 'unsubscribed'

/** A message of a campaign that came to an end, or of which there is news. */
export interface Settled {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  contactId: Id<'contact'> | null
  messageId: Id<'message'>
  /** As it is now. */
  state: MessageState
  /** Why it did not go: what the list of suppressions says, or a refusal's code. */
  reason?: string
  event?: SettledEvent
  /** Of opens and clicks: a scanner or a mail proxy did it. */
  machine?: boolean
  /** Of clicks: where the link leads. */
  url?: string
}

export interface Outcomes {
  settled(tx: Tx, rows: Settled[], now: Date): Promise<void>
}

/** A message as statements give it back. */
export interface OfCampaign {
  businessId: Id<'business'>
  id: Id<'message'>
  campaignId: Id<'campaign'> | null
  contactId: Id<'contact'> | null
}

/** Tells of those that are a campaign's. */
export async function tellOutcomes(
  tx: Tx,
  outcomes: Outcomes,
  rows: readonly (OfCampaign & Pick<Settled, 'state' | 'reason' | 'event' | 'machine' | 'url'>)[],
  now: Date,
): Promise<void> {
  const theirs = rows.flatMap(({ campaignId, id, ...row }): Settled[] =>
    campaignId === null ? [] : [{ ...row, messageId: id, campaignId }],
  )
  if (theirs.length > 0) await outcomes.settled(tx, theirs, now)
}
