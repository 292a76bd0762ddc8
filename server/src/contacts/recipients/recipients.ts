/** Whom a message goes to, and whether it may: by contact, or by an address or number alone. */

import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Channel } from '../model/contact.ts'
import { noSuchContact } from '../model/view.ts'
import { isMarketingOnly, markOf } from '../suppression/suppressions.ts'
import { findMarked, findRecipients } from './recipient-queries.ts'

export interface AskedFor {
  businessId: Id<'business'>
  channel: Channel
  contactId: Id<'contact'> | undefined
  /** An address or a number, normalised; where no contact is named. */
  address: string | undefined
  /** Marketing needs consent; what the person asked for does not. */
  needsConsent: boolean
}

export interface Recipient {
  contactId: Id<'contact'> | null
  address: string
  /** As suppressions know the address. */
  mark: Buffer
}

/** One for each asked for, in order, or why it may not be written to. */
export async function recipientsOf(
  db: Db,
  hmac: Hmac,
  asked: readonly AskedFor[],
): Promise<(Recipient | Refusal)[]> {
  const found = await findRecipients(
    db,
    asked.map(({ contactId = null, address = null, ...one }) => ({ ...one, contactId, address })),
  )
  const byPlace = new Map(found.map((row) => [row.place, row]))
  const known = asked.map((one, i) => {
    const row = byPlace.get(i + 1)
    const address = one.address ?? row?.address ?? undefined
    const mark = address === undefined ? undefined : markOf(hmac, one.businessId, address)
    return { one, row, address, mark }
  })
  const marks = known.flatMap(({ one, mark }) =>
    mark ? [{ businessId: one.businessId, channel: one.channel, mark }] : [],
  )
  const rows = await findMarked(db, marks)
  const reasons = new Map(rows.map(({ mark, reason }) => [mark.toString('base64'), reason]))
  return known.map(({ one, row, address, mark }) => {
    if (one.contactId && !row) return noSuchContact(formatId('contact', one.contactId))
    if (address === undefined || !mark) return hasNoAddress(one.channel)
    const reason = reasons.get(mark.toString('base64'))
    if (reason !== undefined && (one.needsConsent || !isMarketingOnly(reason))) {
      return isSuppressed(one, reason)
    }
    if (one.needsConsent && row?.consent !== 'subscribed') return hasNotAgreed(one, row?.contactId)
    return { contactId: row?.contactId ?? null, address, mark }
  })
}

/** Whether the business has this contact. */
export async function isContact(
  db: Db,
  businessId: Id<'business'>,
  contactId: Id<'contact'>,
): Promise<boolean> {
  return (
    (await findRecipients(db, [{ businessId, channel: 'email', contactId, address: null }]))
      .length > 0
  )
}

const fieldOf = ({ contactId }: AskedFor) => (contactId ? 'contact_id' : 'to')

const nounOf: Readonly<Record<Channel, string>> = { email: 'email address', sms: 'phone number' }

function hasNoAddress(channel: Channel): Refusal {
  const text = `This contact has no ${nounOf[channel]}. Give it one with contact.upsert.`
  return refuse('conflict', text, { field: 'contact_id' })
}

function isSuppressed(one: AskedFor, reason: string): Refusal {
  const text = `Nothing is sent to this ${nounOf[one.channel]}: it is on the list of suppressions (${reason}).`
  return refuse('conflict', text, { field: fieldOf(one), data: { suppressed: true, reason } })
}

function hasNotAgreed(one: AskedFor, contactId: Id<'contact'> | undefined): Refusal {
  const text =
    'Marketing goes only to contacts who agreed to it, and this one has not. Record consent that the person gave with contact.upsert; what the person asked for goes as transactional.'
  const field = fieldOf(one)
  if (!contactId) return refuse('conflict', text, { field })
  const looked = { tool: 'contact.get', arguments: { contact_id: formatId('contact', contactId) } }
  return refuse('conflict', text, { field, fix: looked })
}
