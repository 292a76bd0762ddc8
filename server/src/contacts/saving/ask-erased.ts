/**
 * A form with the address of somebody who was erased: nothing is saved, and the address is sent a
 * mail that asks whether its person wants to come back. Of what was typed the address and the
 * evidence of consent are kept, until the person confirms or thirty days have passed.
 */
import { newId, parseId } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { askToReturn } from '../model/ask-for-confirmation.ts'
import type { NewConfirmation } from '../model/confirmation.ts'
import type { ContactToSave } from '../model/contact.ts'

export async function askErasedPeople(
  tx: Tx,
  refused: readonly ContactToSave[],
  now: Date,
): Promise<void> {
  const asked = refused.flatMap(requestOf)
  if (asked.length > 0) await askToReturn(tx, asked, now)
}

/** Only a form that asks for consent to email, and in which the person ticked it. */
function requestOf({ businessId, source, email, consent, origin }: ContactToSave) {
  const given = consent?.email
  if (source !== 'form' || email === undefined || !given) return []
  if (given.status === 'unsubscribed') return []
  const request: NewConfirmation = {
    businessId,
    id: newId('confirmation'),
    contactId: newId('contact'),
    address: email,
    topics: given.topics ? [...given.topics] : null,
    source: given.source,
    text: given.text ?? null,
    ip: given.ip ?? null,
    agent: given.agent ?? null,
    page: given.page ?? null,
    formVersion: given.formVersion ?? null,
    box: given.box ?? null,
    language: given.language ?? null,
    formId: given.formId ?? null,
    unproven: given.unproven ?? false,
    madeContact: true,
    connectionId: origin.connectionId,
    callId: parseId('request', origin.callId) ?? null,
  }
  return [request]
}
