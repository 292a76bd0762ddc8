/** Parses Kannel's calls to our endpoints (Kannel user guide, sections 6.3 and 6.6). */
import { createHash } from 'node:crypto'
import type { InboundText, SmsReceipt } from './transport.ts'

/** The `type` of a call (`%d`). */
const states = new Map<string, { state: SmsReceipt['state']; final: boolean }>([
  ['1', { state: 'delivered', final: true }],
  ['2', { state: 'failed', final: true }],
  ['4', { state: 'accepted', final: false }],
  ['8', { state: 'accepted', final: false }],
  ['16', { state: 'rejected', final: true }],
])

/** Undefined where it is not a receipt. `now` is used where the call contains no time. */
export function parseKannelReceipt(query: URLSearchParams, now: Date): SmsReceipt | undefined {
  const [id, type] = [query.get('id'), query.get('type') ?? '']
  const meaning = states.get(type)
  if (!id || !meaning) return undefined
  const words = query.get('answer')?.slice(0, 500)
  // Behind an SMPP link the words are the provider's receipt, which is more precise.
  const expired = meaning.state === 'failed' && /stat:EXPIRED/.test(words ?? '')
  const code = words?.match(/\berr:(\w{1,8})/)?.[1]
  return {
    providerId: id,
    state: expired ? 'expired' : meaning.state,
    final: meaning.final,
    ...(code !== undefined && { code }),
    ...(words && { words }),
    at: timeOf(query, now),
    identity: `${id}:${type}`,
  }
}

/**
 * For `get-url = https://…/hooks/sms/kannel?key=…&from=%p&to=%P&text=%b&charset=%C&time=%T&id=%I`.
 * Undefined where the call is not a text.
 */
export function parseKannelInbound(query: URLSearchParams, now: Date): InboundText | undefined {
  const from = e164(query.get('from'))
  const to = query.get('to')
  const body = query.get('text')
  if (!from || !to || body === null) return undefined
  const at = timeOf(query, now)
  return { from, to, body, at, providerId: query.get('id') || made(from, to, body, at) }
}

function timeOf(query: URLSearchParams, now: Date): Date {
  const time = Number(query.get('time'))
  const date = new Date(time * 1000)
  // A phone network's clock may be wrong, and a time in the future would sort before all others.
  return time > 0 && date < now ? date : now
}

/** A network writes a number with its country code and without the plus. */
function e164(number: string | null): string | undefined {
  const digits = number?.replace(/^(\+|00)/, '').trim()
  return digits && /^\d{3,15}$/.test(digits) ? `+${digits}` : undefined
}

/** An id for calls without one: two equal texts within one second count as one. */
function made(...values: (string | Date)[]): string {
  const text = JSON.stringify(values)
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
