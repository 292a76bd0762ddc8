/** Whether a contact may be written to on a channel, and by what evidence. */

import type { Db } from '../platform/db.ts'
import type { Id } from '../platform/ids.ts'
import type { Hmac } from '../platform/operation.ts'
import { type Consent, listConsents } from './consent-queries.ts'
import type { Channel, ConsentStatus } from './contact.ts'
import { findContact } from './list-queries.ts'
import type { Suppression } from './suppression.ts'
import { suppressionsOf } from './suppressions.ts'

export interface ChannelStanding {
  consent: ConsentStatus
  /** The last row of the ledger about this channel; absent where nothing was ever said. */
  lastSaid: Pick<Consent, 'action' | 'source' | 'createdAt'> | undefined
  suppression: Suppression | undefined
  createdAt: Date
}

/** Rows of the ledger that are looked at, of both channels. */
const looked = 100

/** Undefined where the business has no such contact, or has none any more. */
export async function channelStanding(
  db: Db,
  hmac: Hmac,
  { businessId, contactId, channel }: AskedStanding,
): Promise<ChannelStanding | undefined> {
  const contact = await findContact(db, businessId, contactId)
  if (!contact) return undefined
  const [said, suppressions] = await Promise.all([
    listConsents(db, businessId, contactId, looked),
    suppressionsOf(db, hmac, businessId, contact),
  ])
  return {
    consent: contact.consent[channel],
    lastSaid: said.find((one) => one.channel === channel),
    suppression: suppressions.find((one) => one.channel === channel),
    createdAt: contact.createdAt,
  }
}

interface AskedStanding {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  channel: Channel
}
