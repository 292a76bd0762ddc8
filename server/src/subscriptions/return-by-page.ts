/**
 * A person whose contact no longer exists opens the link of an old mail and wants messages again.
 * The link no longer identifies anybody, and its holder may be another person. So the address is
 * typed, and a mail to it asks the person to confirm (docs/design/consent.md).
 */

import { tierOf } from '../accounts/businesses/deploy-settings.ts'
import { mayTakeBack } from '../contacts/consent/return.ts'
import type { ContactToSave } from '../contacts/contact.ts'
import { saveContacts } from '../contacts/save.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import type { RecipientLanguage } from '../core/recipient-words/languages.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import type { Visit } from '../tracking/visitor.ts'
import { evidenceOf, type Holder, overLimit, type PreferenceDeps } from './preferences.ts'

export interface ReturnRequest {
  /** The address as it was typed. */
  email: string
  /** The text that the person agrees to, and the language in which they read it. */
  text: string
  language: RecipientLanguage
  visit: Visit
  requestId: string
}

/** The outcome is the same whether or not a mail is sent, so it reveals no former contact. */
export async function askToComeBack(
  deps: PreferenceDeps,
  holder: Holder,
  { email, text, language, visit, requestId }: ReturnRequest,
): Promise<Refusal | undefined> {
  const { businessId, messageId } = holder
  const address = normaliseEmail(email)
  if (isRefusal(address)) return address
  const over = await overLimit(deps, holder)
  if (over) return over
  const { hmac } = deps.vault
  await deps.db.tx(async (tx) => {
    const tier = await tierOf(tx, businessId)
    // Sends nothing to a stranger's address, so that an old link cannot be used against anybody.
    if (!tier || !(await mayTakeBack(tx, hmac, { businessId, email: address }))) return
    const person: ContactToSave = {
      businessId,
      tier,
      hmac,
      source: 'form',
      origin: { connectionId: null, callId: requestId },
      email: address,
      consent: {
        email: {
          status: 'pending',
          source: `preference page, ${formatId('message', messageId)}`,
          text,
          language,
          ...evidenceOf(visit),
        },
      },
    }
    // An erased person is refused here, but still gets the mail.
    await saveContacts.save(tx, [person], deps.clock.now())
  })
  return undefined
}
