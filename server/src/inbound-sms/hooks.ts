/** Parses a provider's call to the service's endpoint, once its signature has been verified. */
import { type Refusal, refuse } from '../core/errors.ts'
import { sameBytes, sha256 } from '../lib/crypto/vault.ts'
import { parseKannelInbound, parseKannelReceipt } from '../lib/sms/kannel.ts'
import type { SmsOptions } from '../lib/sms/sms-url.ts'
import type { InboundText, SmsReceipt } from '../lib/sms/transport.ts'
import { isTwilioCall, parseTwilioInbound, parseTwilioReceipt } from '../lib/sms/twilio.ts'

export interface HookCall {
  /** The query string as it was sent, without its question mark. */
  query: string
  /** The form body. */
  body: string
  /** Reads a header by its lower-case name. */
  header(name: string): string | undefined
  now: Date
}

export type ParsedCall =
  | { kind: 'text'; text: InboundText }
  | { kind: 'receipt'; receipt: SmsReceipt }
  /** A report that a text is on its way, which the message's state shows already. */
  | { kind: 'nothing' }

export interface SmsHook {
  /** The provider's name in the path. */
  name: string
  /** The response on success. Twilio and Kannel forward its body as a text. */
  answer: { type: string; body: string }
  read(call: HookCall): ParsedCall | Refusal
}

/**
 * @param site The service's public address, which is part of what Twilio signs. SMPP has no hook.
 */
export function smsHookOf(options: SmsOptions, site: string): SmsHook | undefined {
  if (options.provider === 'twilio') return twilioHook(options.password, `${site}/hooks/sms/twilio`)
  if (options.provider === 'kannel' && options.key !== undefined) return kannelHook(options.key)
  return undefined
}

function twilioHook(token: string, address: string): SmsHook {
  return {
    name: 'twilio',
    answer: { type: 'text/xml', body: '<?xml version="1.0" encoding="UTF-8"?><Response/>' },
    read({ query, body, header, now }) {
      const form = new URLSearchParams(body)
      const url = query === '' ? address : `${address}?${query}`
      const signature = header('x-twilio-signature') ?? ''
      if (!isTwilioCall({ url, form, signature, token })) {
        const text = `X-Twilio-Signature does not fit. Twilio must call ${address}, which is BASE_URL and the path, with the token of SMS_URL.`
        return refuse('unauthorized', text)
      }
      // An inbound text has a status too, which is always `received`.
      if (!form.has('MessageStatus')) return textOr(parseTwilioInbound(form, now))
      const receipt = parseTwilioReceipt(form, now)
      return receipt ? { kind: 'receipt', receipt } : { kind: 'nothing' }
    },
  }
}

function kannelHook(key: string): SmsHook {
  const expected = sha256(key)
  return {
    name: 'kannel',
    answer: { type: 'text/plain', body: '' },
    read({ query, now }) {
      const fields = new URLSearchParams(query)
      if (!sameBytes(expected, sha256(fields.get('key') ?? ''))) {
        return refuse('unauthorized', 'key is missing or does not match SMS_URL.')
      }
      if (!fields.has('type')) return textOr(parseKannelInbound(fields, now))
      const receipt = parseKannelReceipt(fields, now)
      return receipt ? { kind: 'receipt', receipt } : { kind: 'nothing' }
    },
  }
}

function textOr(text: InboundText | undefined): ParsedCall | Refusal {
  if (text) return { kind: 'text', text }
  return refuse(
    'invalid_request',
    'This is not a text message: its sender, recipient or text is missing.',
  )
}
