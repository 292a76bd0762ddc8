/**
 * Applies a person's STOP and START for one business, to suppressions and the consent ledger
 * together.
 */

import { isRefusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { ConsentGiven, Contact } from '../contact.ts'
import { liftByPerson, liftedByTexting } from '../suppressions/lift.ts'
import { stopNumber } from '../suppressions/stopped-numbers.ts'
import {
  findSuppressions,
  markOf,
  type SuppressionReason,
  suppress,
} from '../suppressions/suppression.ts'
import { changeConsent } from './change-consent.ts'
import { isErased, returnErased } from './return.ts'

export interface TextedWord {
  businessId: Id<'business'>
  /** The person's number (E.164). */
  phone: string
  /** Where the person sent it, and the exact words, for the consent ledger. */
  evidence: Pick<ConsentGiven, 'source' | 'text'>
}

/** The contact with this number. */
export function contactWithPhone(
  tx: Tx,
  businessId: Id<'business'>,
  phone: string,
): Promise<Pick<Contact, 'id' | 'language'> | undefined> {
  return tx.maybe(sql`
    select id, language from contacts where business_id = ${businessId} and phone = ${phone} collate "C"
  `)
}

/** Stops texts to the number, whether or not a contact has it. */
export async function stopTexts(
  tx: Tx,
  hmac: Hmac,
  { businessId, phone, evidence }: TextedWord,
  now: Date,
): Promise<void> {
  const suppression = { businessId, channel: 'sms', address: phone, reason: 'stop' } as const
  await suppress(tx, hmac, [{ ...suppression, source: evidence.source }], now)
  await sayConsent(tx, { businessId, phone, evidence }, 'unsubscribed', now)
}

/**
 * Records a STOP that the person sent to the provider, which told us of it only when it refused a
 * text from that sender.
 */
export async function stopAtProvider(
  tx: Tx,
  hmac: Hmac,
  { sender, ...word }: TextedWord & { sender: string },
  now: Date,
): Promise<void> {
  await stopNumber(tx, hmac, { senders: [sender], phone: word.phone }, now)
  await stopTexts(tx, hmac, word, now)
}

export interface Started {
  /** Whether START lifted a suppression by STOP, failed delivery or an unsubscription. */
  lifted: boolean
  /** Whether another reason still suppresses it: START does not undo a complaint or an erasure. */
  held: boolean
}

/** Removes the suppressions that START undoes; consent is recorded separately. */
export async function liftStop(
  tx: Tx,
  hmac: Hmac,
  { businessId, phone }: Omit<TextedWord, 'evidence'>,
  reasons: readonly SuppressionReason[] = liftedByTexting,
): Promise<Started> {
  const mark = markOf(hmac, businessId, phone)
  const own = { businessId, channel: 'sms', address: phone, reasons } as const
  const lifted = await liftByPerson(tx, hmac, own)
  const suppressions = await findSuppressions(tx, businessId, { email: null, phone: mark })
  return { lifted, held: suppressions.length > 0 }
}

/**
 * Makes an erased person with this number a contact again, and returns whether it did. The text
 * comes from the number itself, so nobody else sent it.
 */
export async function returnByText(
  tx: Tx,
  hmac: Hmac,
  { businessId, phone }: Omit<TextedWord, 'evidence'>,
  now: Date,
): Promise<boolean> {
  const returning = { businessId, channel: 'sms', address: phone } as const
  if (!(await isErased(tx, hmac, returning))) return false
  return !isRefusal(await returnErased(tx, hmac, returning, now))
}

export async function startTexts(tx: Tx, word: TextedWord, now: Date): Promise<void> {
  await sayConsent(tx, word, 'subscribed', now)
}

async function sayConsent(
  tx: Tx,
  { businessId, phone, evidence }: TextedWord,
  status: ConsentGiven['status'],
  now: Date,
): Promise<void> {
  const contactId = (await contactWithPhone(tx, businessId, phone))?.id
  if (!contactId) return
  const word = { channel: 'sms' as const, status, ...evidence }
  const changed = await changeConsent(tx, { businessId, contactId, choices: [word] }, now)
  if (isRefusal(changed)) throw new Error(`consent of a number: ${changed.message}`)
}
