/**
 * Handles a form with the address of an erased person: nothing is saved, and a mail to the address
 * asks whether its person wants to return. Of the answers, only the address and the evidence of
 * consent are stored, until the person confirms or thirty days have passed.
 */
import { newId, parseId } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { ContactToSave } from '../contact.ts'
import { askToReturn } from '../model/ask-for-confirmation.ts'
import type { NewConfirmation } from '../model/confirmation.ts'

export async function askErasedPeople(
  tx: Tx,
  refused: readonly ContactToSave[],
  now: Date,
): Promise<void> {
  const asked = refused.flatMap(requestOf)
  if (asked.length > 0) await askToReturn(tx, asked, now)
}

/** Only for a form that requests consent to email, if the person ticked it. */
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
    leftAt: null,
    madeContact: true,
    connectionId: origin.connectionId,
    callId: parseId('request', origin.callId) ?? null,
  }
  return [request]
}
