/** Whether a contact may be written to on a channel, and on what evidence. */

import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import {
  type ConsentStatus,
  type ConsentSubject,
  type TopicStatus,
  topicStatusOf,
} from '../contact.ts'
import { findContact } from '../rows.ts'
import { type Suppression, suppressionsOf } from '../suppressions/suppression.ts'
import { type Consent, listConsents } from './ledger.ts'

export interface ChannelEligibility {
  consent: ConsentStatus
  /** The status of the requested topic; `none` without a status or without a topic. */
  topic: TopicStatus | 'none'
  /** The latest ledger entry for the channel or the topic; undefined if there is none. */
  lastSaid: Pick<Consent, 'action' | 'source' | 'createdAt'> | undefined
  suppression: Suppression | undefined
  createdAt: Date
}

/** How many entries of the ledger are read, for all subjects together. */
const mostEntries = 100

/** Undefined where the business does not have such a contact, or no longer has it. */
export async function channelEligibility(
  db: Db,
  hmac: Hmac,
  { businessId, contactId, channel, topic = null }: AskedEligibility,
): Promise<ChannelEligibility | undefined> {
  const contact = await findContact(db, businessId, contactId)
  if (!contact) return undefined
  const [consents, suppressions] = await Promise.all([
    listConsents(db, businessId, contactId, mostEntries),
    suppressionsOf(db, hmac, businessId, contact),
  ])
  return {
    consent: contact.consent[channel],
    topic: (topic !== null && topicStatusOf(contact.topics, channel, topic)) || 'none',
    lastSaid: consents.find(
      (consent) =>
        consent.channel === channel && (consent.topic === null || consent.topic === topic),
    ),
    suppression: suppressions.find((suppression) => suppression.channel === channel),
    createdAt: contact.createdAt,
  }
}

interface AskedEligibility {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  channel: ConsentSubject
  topic?: string | null
}
