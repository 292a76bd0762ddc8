/** The outcome of consent that a mail requested: the person confirms it, or never does. */

import { isRefusal } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { deleteUnconfirmed } from '../erase.ts'
import { lockById } from '../rows.ts'
import { liftByPerson } from '../suppressions/lift.ts'
import { liftedByConfirming } from '../suppressions/suppression.ts'
import { changeConsent } from './change-consent.ts'
import { type Confirmation, confirmationTimes } from './confirmation.ts'
import { returnErased } from './return.ts'

interface ConfirmationKey {
  businessId: Id<'business'>
  id: Id<'confirmation'>
}

/** `expired`: the confirmation is too old, or the contact is gone or has another address. */
export type ConfirmationState = 'open' | 'confirmed' | 'expired'

export function stateOf(
  { confirmedAt, endedAt, createdAt }: Confirmation,
  now: Date,
): ConfirmationState {
  if (confirmedAt) return 'confirmed'
  const isOld = now.getTime() >= createdAt.getTime() + confirmationTimes.endMs
  return endedAt || isOld ? 'expired' : 'open'
}

/** Applies the press of the mail's button. A second press changes nothing. */
export async function confirmConsent(
  tx: Tx,
  hmac: Hmac,
  { businessId, id }: ConfirmationKey,
  press: Confirmed,
): Promise<ConfirmationState> {
  const confirmation = await lockConfirmation(tx, businessId, id)
  if (!confirmation) return 'expired'
  const state = stateOf(confirmation, press.at)
  if (state !== 'open') return state
  const { address, topics, source, text, ip, agent, page, formVersion, box, askedAt } = confirmation
  const contactId = confirmation.isReturn
    ? await returnOf(tx, hmac, { businessId, confirmation }, press.at)
    : confirmation.contactId
  if (!contactId) return 'expired'
  const contact = await lockById(tx, businessId, contactId)
  if (!contact || contact.email !== address) return 'expired'
  const choice = {
    channel: 'email' as const,
    status: 'subscribed' as const,
    source,
    at: askedAt,
    ...(topics && { topics }),
    ...(text !== null && { text }),
    ...(ip !== null && { ip }),
    ...(agent !== null && { agent }),
    ...(page !== null && { page }),
    ...(formVersion !== null && { formVersion }),
    ...(box !== null && { box }),
    confirmationId: id,
  }
  const changed = await changeConsent(tx, { businessId, contactId, choices: [choice] }, press.at)
  if (!changed || isRefusal(changed)) return 'expired'
  await liftByPerson(tx, hmac, {
    businessId,
    channel: 'email',
    address,
    reasons: liftedByConfirming,
  })
  await markConfirmed(tx, businessId, id, press)
  return 'confirmed'
}

/** Returns undefined if the business has no room; the person may press the button again later. */
async function returnOf(
  tx: Tx,
  hmac: Hmac,
  { businessId, confirmation }: { businessId: Id<'business'>; confirmation: Confirmation },
  now: Date,
): Promise<Id<'contact'> | undefined> {
  const { id, address, connectionId, callId } = confirmation
  const origin = { connectionId, callId: formatId('request', callId ?? newId('request')) }
  const returning = { businessId, channel: 'email', address, origin } as const
  const contactId = await returnErased(tx, hmac, returning, now)
  if (isRefusal(contactId)) return undefined
  await setReturned(tx, businessId, { id, contactId })
  return contactId
}

/** Ends an unconfirmed request, and deletes a contact who is known for nothing else. */
export async function endConfirmation(
  tx: Tx,
  { businessId, id }: ConfirmationKey,
  now: Date,
): Promise<void> {
  const confirmation = await lockConfirmation(tx, businessId, id)
  if (!confirmation || confirmation.confirmedAt || confirmation.endedAt) return
  // Nothing that an erased person has not confirmed is stored.
  if (confirmation.isReturn) return void (await deleteConfirmation(tx, businessId, id))
  const { contactId, madeContact } = confirmation
  const contact = await lockById(tx, businessId, contactId)
  if (contact?.consent.email !== 'pending') return void (await markEnded(tx, businessId, id, now))
  if (madeContact && !(await isKnownOtherwise(tx, businessId, contactId))) {
    // This deletes the confirmation as well.
    return deleteUnconfirmed(tx, contact, now)
  }
  // Who had left is out again: a request that they did not answer takes nothing back.
  const status = confirmation.leftAt ? 'unsubscribed' : 'none'
  const choice = { channel: 'email', status, source: 'it was never confirmed' } as const
  await changeConsent(tx, { businessId, contactId, choices: [choice] }, now)
  await markEnded(tx, businessId, id, now)
}

export function confirmationOf(
  db: Db,
  { businessId, id }: ConfirmationKey,
): Promise<Confirmation | undefined> {
  return findConfirmation(db, businessId, id)
}

/** Locks the confirmation to mail until the transaction ends; undefined if no mail is due. */
export async function holdToMail(
  tx: Tx,
  { businessId, id }: ConfirmationKey,
  { now, isReminder }: { now: Date; isReminder: boolean },
): Promise<Confirmation | undefined> {
  const confirmation = await lockConfirmation(tx, businessId, id)
  if (!confirmation || stateOf(confirmation, now) !== 'open') return undefined
  // An erased person gets one mail only, because perhaps somebody else typed their address.
  if (isReminder && (!confirmation.mailedAt || confirmation.remindedAt || confirmation.isReturn))
    return undefined
  return confirmation
}

export async function noteMailed(
  tx: Tx,
  { businessId, id }: ConfirmationKey,
  mailed: { at: Date; isReminder: boolean },
): Promise<void> {
  await markMailed(tx, businessId, id, mailed)
}

/** Holds the mail until a person releases it. */
export async function noteHeld(
  tx: Tx,
  { businessId, id }: ConfirmationKey,
  now: Date,
): Promise<void> {
  await markHeld(tx, businessId, id, now)
}

/** Holds a confirmation, unless its mail was sent already. */
function markHeld(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update confirmations set held_at = coalesce(held_at, ${now})
    where business_id = ${businessId} and id = ${id} and mailed_at is null
  `)
}

const columns = sql`
  id, contact_id as "contactId", address, topics, source, text, host(ip) as ip, agent,
  page, form_version as "formVersion", box, language,
  form_id as "formId", unproven, released_at as "releasedAt",
  made_contact as "madeContact", left_at as "leftAt", is_return as "isReturn", connection_id as "connectionId", call_id as "callId",
  asked_at as "askedAt", created_at as "createdAt", mailed_at as "mailedAt",
  reminded_at as "remindedAt", confirmed_at as "confirmedAt", ended_at as "endedAt"
`

export function findConfirmation(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
): Promise<Confirmation | undefined> {
  return db.maybe(sqlWithin`
    select ${columns} from confirmations where business_id = ${businessId} and id = ${id}
  `)
}

/** Reads the confirmation, and locks it until the transaction ends. */
function lockConfirmation(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
): Promise<Confirmation | undefined> {
  return tx.maybe(sqlWithin`
    select ${columns} from confirmations where business_id = ${businessId} and id = ${id}
    for update
  `)
}

function markMailed(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
  { at, isReminder }: { at: Date; isReminder: boolean },
): Promise<number> {
  return tx.run(sql`
    update confirmations set
      mailed_at = case when ${isReminder}::boolean then mailed_at else ${at}::timestamptz end,
      held_at = null,
      reminded_at = case when ${isReminder}::boolean then ${at}::timestamptz else reminded_at end
    where business_id = ${businessId} and id = ${id}
  `)
}

interface Confirmed {
  at: Date
  ip: string | null
  agent: string | null
}

function markConfirmed(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
  { at, ip, agent }: Confirmed,
): Promise<number> {
  return tx.run(sql`
    update confirmations set confirmed_at = ${at}, confirmed_ip = ${ip}, confirmed_agent = ${agent}
    where business_id = ${businessId} and id = ${id}
  `)
}

function markEnded(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
  at: Date,
): Promise<number> {
  return tx.run(sql`
    update confirmations set ended_at = ${at} where business_id = ${businessId} and id = ${id}
  `)
}

/** Whether the contact is known for anything besides the request to confirm. */
async function isKnownOtherwise(
  db: Db,
  businessId: Id<'business'>,
  contactId: Id<'contact'>,
): Promise<boolean> {
  const { known: isKnown } = await db.one<{ known: boolean }>(sql`
    select exists (
        select from contacts where business_id = ${businessId} and id = ${contactId}
          and (sms_consent <> 'none' or phone is not null)
      ) or exists (
        select from own_events where business_id = ${businessId} and contact_id = ${contactId}
      ) or exists (
        select from contact_activity a
        where a.business_id = ${businessId} and a.contact_id = ${contactId}
          and a.type in ('contact.updated', 'text.received')
      ) as known
  `)
  return isKnown
}

/** Stores the contact that the person became, in place of the id that was reserved for it. */
function setReturned(
  tx: Tx,
  businessId: Id<'business'>,
  { id, contactId }: { id: Id<'confirmation'>; contactId: Id<'contact'> },
): Promise<number> {
  return tx.run(sql`
    update confirmations set contact_id = ${contactId}
    where business_id = ${businessId} and id = ${id}
  `)
}

function deleteConfirmation(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
): Promise<number> {
  return tx.run(sql`
    delete from confirmations where business_id = ${businessId} and id = ${id}
  `)
}
