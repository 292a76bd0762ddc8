/** Parses Twilio's calls to our endpoints. Their signature proves that they come from Twilio. */

import type { InboundText, SmsReceipt } from './transport.ts'
import { twilioKind } from './twilio-refusals.ts'

/** `MessageStatus`. States before the network has the text tell us nothing new. */
const states = new Map<string, { state: SmsReceipt['state']; final: boolean }>([
  ['sent', { state: 'accepted', final: false }],
  ['delivered', { state: 'delivered', final: true }],
  ['read', { state: 'delivered', final: true }],
  ['undelivered', { state: 'failed', final: true }],
  ['failed', { state: 'failed', final: true }],
  ['canceled', { state: 'rejected', final: true }],
])

/** Undefined where it is not a receipt, or has no news yet. */
export function parseTwilioReceipt(form: URLSearchParams, now: Date): SmsReceipt | undefined {
  const id = form.get('MessageSid') ?? form.get('SmsSid')
  const status = form.get('MessageStatus') ?? form.get('SmsStatus') ?? ''
  const meaning = states.get(status)
  if (!id || !meaning) return undefined
  const code = form.get('ErrorCode') ?? undefined
  const refused = code !== undefined && twilioKind(code) === 'policy'
  const words = form.get('ErrorMessage')?.slice(0, 500)
  return {
    providerId: id,
    state: refused && meaning.state === 'failed' ? 'rejected' : meaning.state,
    final: meaning.final,
    ...(code && { code }),
    ...(words && { words }),
    // Twilio sends no time.
    at: now,
    identity: `${id}:${status}`,
  }
}

/** Undefined where it is not a text. */
export function parseTwilioInbound(form: URLSearchParams, now: Date): InboundText | undefined {
  const id = form.get('MessageSid') ?? form.get('SmsMessageSid')
  const [from, to, body] = [form.get('From'), form.get('To'), form.get('Body')]
  if (!id || !to || body === null || !from || !/^\+\d{3,15}$/.test(from)) return undefined
  const keyword = optOutTypes.get(form.get('OptOutType')?.toUpperCase() ?? '')
  return { providerId: id, from, to, body, at: now, ...(keyword && { keyword }) }
}

/**
 * `OptOutType` comes with Advanced Opt-Out, for a text that is one of the keywords which the account
 * configured, in whatever language ("Track Opt-Out, Opt-In and Help Messages").
 */
const optOutTypes = new Map<string, InboundText['keyword']>([
  ['STOP', 'stop'],
  ['START', 'start'],
  ['HELP', 'help'],
])
