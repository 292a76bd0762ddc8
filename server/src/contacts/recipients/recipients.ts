/**
 * Resolves the recipient of a message, by contact or by an address or number alone, and checks
 * whether it may be sent to.
 */

import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Channel, noSuchContact } from '../contact.ts'
import { isMarketingOnly, markOf } from '../suppressions/suppression.ts'
import { findRecipients, findSuppressedHashes } from './recipient-queries.ts'

/** The recipient of a message as a call names it. */
export interface RecipientRequest {
  businessId: Id<'business'>
  channel: Channel
  contactId: Id<'contact'> | undefined
  /** A normalised address or number, if no contact is named. */
  address: string | undefined
  /** True for marketing; messages that the person requested need no consent. */
  needsConsent: boolean
  /** The topic of marketing; absent or null for none. */
  topic?: string | null
}

export interface Recipient {
  contactId: Id<'contact'> | null
  address: string
  /** The hash by which suppressions know the address. */
  mark: Buffer
}

/** Resolves each query, in order, to a recipient or to the reason why nothing may be sent. */
export async function resolveRecipients(
  db: Db,
  hmac: Hmac,
  asked: readonly RecipientRequest[],
): Promise<(Recipient | Refusal)[]> {
  const found = await findRecipients(
    db,
    asked.map(({ contactId = null, address = null, topic = null, ...one }) => ({
      ...one,
      contactId,
      address,
      topic,
    })),
  )
  const byPlace = new Map(found.map((row) => [row.place, row]))
  const known = asked.map((request, i) => {
    const row = byPlace.get(i + 1)
    const address = request.address ?? row?.address ?? undefined
    const mark = address === undefined ? undefined : markOf(hmac, request.businessId, address)
    return { one: request, row, address, mark }
  })
  const marks = known.flatMap(({ one, mark, address }) =>
    mark && address !== undefined
      ? [{ businessId: one.businessId, channel: one.channel, mark, address }]
      : [],
  )
  const rows = await findSuppressedHashes(db, marks)
  const reasons = new Map(rows.map(({ mark, reason }) => [mark.toString('base64'), reason]))
  return known.map(({ one, row, address, mark }) => {
    if (one.contactId && !row) return noSuchContact(formatId('contact', one.contactId))
    if (address === undefined || !mark) return refuseWithoutAddress(one.channel)
    const reason = reasons.get(mark.toString('base64'))
    if (reason !== undefined && (one.needsConsent || !isMarketingOnly(reason))) {
      return refuseSuppressed(one, reason)
    }
    if (one.needsConsent && !(row?.consent === 'subscribed' && row.isCovered)) {
      return refuseWithoutConsent(one, row?.contactId)
    }
    return { contactId: row?.contactId ?? null, address, mark }
  })
}

/** Whether the business has this contact. */
export async function contactExists(
  db: Db,
  businessId: Id<'business'>,
  contactId: Id<'contact'>,
): Promise<boolean> {
  return (
    (
      await findRecipients(db, [
        { businessId, channel: 'email', contactId, address: null, topic: null },
      ])
    ).length > 0
  )
}

const fieldOf = ({ contactId }: RecipientRequest) => (contactId ? 'contact_id' : 'to')

const nounOf: Readonly<Record<Channel, string>> = { email: 'email address', sms: 'phone number' }

function refuseWithoutAddress(channel: Channel): Refusal {
  const text = `This contact has no ${nounOf[channel]}. Add one with contact.upsert.`
  return refuse('conflict', text, { field: 'contact_id' })
}

function refuseSuppressed(one: RecipientRequest, reason: string): Refusal {
  const text = `Nothing is sent to this ${nounOf[one.channel]}: it is suppressed (${reason}).`
  return refuse('conflict', text, { field: fieldOf(one), data: { suppressed: true, reason } })
}

function refuseWithoutConsent(
  one: RecipientRequest,
  contactId: Id<'contact'> | undefined,
): Refusal {
  const said = !one.topic
    ? 'this one has not, or chose topics (name the topic of the message)'
    : `this one has not, or not to the topic ${one.topic}`
  const text = `Marketing goes only to contacts who agreed to it, and ${said}. Record consent that the person gave with contact.upsert; what the person asked for goes as transactional.`
  const field = fieldOf(one)
  if (!contactId) return refuse('conflict', text, { field })
  const looked = { tool: 'contact.get', arguments: { contact_id: formatId('contact', contactId) } }
  return refuse('conflict', text, { field, fix: looked })
}
