/** The sender of a text: a number, a short code, a name, or a Twilio service with many numbers. */

import { normalisePhone } from '../phone/phone-number.ts'
import { isRefusal, type Refusal, refuse } from '../schema/refusal.ts'

const shortCode = /^\d{3,8}$/
/** Eleven characters of seven bits (3GPP TS 23.040 section 9.1.2.5), including a letter. */
const senderName = /^(?=.*[A-Za-z])[A-Za-z0-9 ._&-]{1,11}$/
const messagingService = /^MG[0-9a-f]{32}$/

export function readSmsSender(text: string): string | Refusal {
  const spelled = text.trim()
  if ([shortCode, senderName, messagingService].some((form) => form.test(spelled))) return spelled
  const number = normalisePhone(spelled)
  if (!isRefusal(number)) return number
  const forms =
    'a number such as +33612345678, a short code such as 12345, or a name of 1 to 11 letters and digits'
  return refuse('invalid_request', `An SMS sender is ${forms}.`, {
    data: { reason: 'no_sms_sender' },
  })
}

/** Whether a person can reply to it, most importantly with STOP. */
export function canBeAnswered(sender: string): boolean {
  return !senderName.test(sender)
}
