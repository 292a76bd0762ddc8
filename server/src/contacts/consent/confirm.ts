/** The outcome of consent that a mail requested: the person confirms it, or never does. */
import { isRefusal } from '../../core/errors.ts'
import { formatId, type Id, newId } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { deleteUnconfirmed } from '../erasure/delete-unconfirmed.ts'
import { confirmationTimes } from '../model/ask-for-confirmation.ts'
import type { Confirmation } from '../model/confirmation.ts'
import {
  type Confirmed,
  deleteConfirmation,
  findConfirmation,
  isKnownOtherwise,
  lockConfirmation,
  markConfirmed,
  markEnded,
  markMailed,
  setReturned,
} from '../model/confirmation-queries.ts'
import { markHeld } from '../model/form-confirmation-queries.ts'
import { lockById } from '../rows.ts'
import { liftByPerson } from '../suppressions/lift-by-person.ts'
import { liftedByConfirming } from '../suppressions/suppression.ts'
import { changeConsent } from './change-consent.ts'
import { returnErased } from './return.ts'

interface Named {
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
  { businessId, id }: Named,
  said: Confirmed,
): Promise<ConfirmationState> {
  const asked = await lockConfirmation(tx, businessId, id)
  if (!asked) return 'expired'
  const state = stateOf(asked, said.at)
  if (state !== 'open') return state
  const { address, topics, source, text, ip, agent, page, formVersion, box, askedAt } = asked
  const contactId = asked.isReturn
    ? await returnOf(tx, hmac, { businessId, asked }, said.at)
    : asked.contactId
  if (!contactId) return 'expired'
  const contact = await lockById(tx, businessId, contactId)
  if (!contact || contact.email !== address) return 'expired'
  const agreed = {
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
  const changed = await changeConsent(tx, { businessId, contactId, said: [agreed] }, said.at)
  if (!changed || isRefusal(changed)) return 'expired'
  await liftByPerson(tx, hmac, {
    businessId,
    channel: 'email',
    address,
    reasons: liftedByConfirming,
  })
  await markConfirmed(tx, businessId, id, said)
  return 'confirmed'
}

/** Returns undefined if the business has no room; the person may press the button again later. */
async function returnOf(
  tx: Tx,
  hmac: Hmac,
  { businessId, asked }: { businessId: Id<'business'>; asked: Confirmation },
  now: Date,
): Promise<Id<'contact'> | undefined> {
  const { id, address, connectionId, callId } = asked
  const origin = { connectionId, callId: formatId('request', callId ?? newId('request')) }
  const returning = { businessId, channel: 'email', address, origin } as const
  const contactId = await returnErased(tx, hmac, returning, now)
  if (isRefusal(contactId)) return undefined
  await setReturned(tx, businessId, { id, contactId })
  return contactId
}

/** Ends an unconfirmed request, and deletes a contact who is known for nothing else. */
export async function endConfirmation(tx: Tx, { businessId, id }: Named, now: Date): Promise<void> {
  const asked = await lockConfirmation(tx, businessId, id)
  if (!asked || asked.confirmedAt || asked.endedAt) return
  // Nothing that an erased person has not confirmed is stored.
  if (asked.isReturn) return void (await deleteConfirmation(tx, businessId, id))
  const { contactId, madeContact } = asked
  const contact = await lockById(tx, businessId, contactId)
  if (contact?.consent.email !== 'pending') return void (await markEnded(tx, businessId, id, now))
  if (madeContact && !(await isKnownOtherwise(tx, businessId, contactId))) {
    // This deletes the confirmation as well.
    return deleteUnconfirmed(tx, contact, now)
  }
  // Who had left is out again: a request that they did not answer takes nothing back.
  const status = asked.leftAt ? 'unsubscribed' : 'none'
  const word = { channel: 'email', status, source: 'it was never confirmed' } as const
  await changeConsent(tx, { businessId, contactId, said: [word] }, now)
  await markEnded(tx, businessId, id, now)
}

export function confirmationOf(
  db: Db,
  { businessId, id }: Named,
): Promise<Confirmation | undefined> {
  return findConfirmation(db, businessId, id)
}

/** Locks the confirmation to mail until the transaction ends; undefined if no mail is due. */
export async function holdToMail(
  tx: Tx,
  { businessId, id }: Named,
  { now, isReminder }: { now: Date; isReminder: boolean },
): Promise<Confirmation | undefined> {
  const asked = await lockConfirmation(tx, businessId, id)
  if (!asked || stateOf(asked, now) !== 'open') return undefined
  // An erased person gets one mail only, because perhaps somebody else typed their address.
  if (isReminder && (!asked.mailedAt || asked.remindedAt || asked.isReturn)) return undefined
  return asked
}

export async function noteMailed(
  tx: Tx,
  { businessId, id }: Named,
  mailed: { at: Date; isReminder: boolean },
): Promise<void> {
  await markMailed(tx, businessId, id, mailed)
}

/** Holds the mail until a person releases it. */
export async function noteHeld(tx: Tx, { businessId, id }: Named, now: Date): Promise<void> {
  await markHeld(tx, businessId, id, now)
}
