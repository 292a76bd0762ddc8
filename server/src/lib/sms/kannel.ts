/**
 * Texts through Kannel's `sendsms` (Kannel user guide, chapter 6), and what it calls us with. Kannel
 * returns no id for an accepted text, so the id is ours: the URL that its receipts call contains it.
 * Long texts are cut here, because Kannel cuts an emoji in two, and drops everything beyond its
 * `max-messages`, which is 1 by default.
 */

import { createHash, randomInt, randomUUID } from 'node:crypto'
import { createHttpLines } from './http-transport.ts'
import { sendInParts, type TextPart } from './in-parts.ts'
import { routeOf, type SmsOptions } from './sms-url.ts'
import type {
  InboundText,
  SmsReceipt,
  SmsRefused,
  SmsSent,
  SmsTransport,
  Text,
} from './transport.ts'

interface KannelDeps {
  /** The URL for its receipts, such as `https://crier.example/hooks/sms/kannel`. */
  hook: string
}

/** Delivered, failed, and refused by the network, but not intermediate states. */
const receiptsWanted = 1 + 2 + 16

export function createKannelTransport(options: SmsOptions, { hook }: KannelDeps): SmsTransport {
  const http = createHttpLines(options)
  const url = `${http.origin}/cgi-bin/sendsms`
  let texts = randomInt(0x100)
  const sendPart = async (text: Text, part: TextPart): Promise<SmsSent> => {
    const id = randomUUID()
    const answer = await http.ask({ url: `${url}?${queryOf(text, part, id)}` })
    if ('result' in answer) return answer
    const words = answer.body.toString().trim().slice(0, 200)
    return answer.status >= 200 && answer.status < 300
      ? { result: 'accepted', providerId: id, words }
      : refusalOf(answer.status, words)
  }
  const queryOf = (text: Text, { body, encoding, header, last }: TextPart, id: string): string => {
    const from = text.from ?? options.from
    const query = new URLSearchParams({
      username: options.user,
      password: options.password,
      to: text.to,
      text: body,
      coding: encoding === 'ucs-2' ? '2' : '0',
      charset: 'UTF-8',
    })
    if (from !== undefined) query.set('from', from)
    if (last && options.key !== undefined) {
      query.set('dlr-mask', String(receiptsWanted))
      query.set('dlr-url', receiptUrl(hook, options.key, id))
    }
    // These are octets, which URLSearchParams would encode as characters.
    const udh = header ? `&udh=${escapedOctets(header)}` : ''
    return `${query}${udh}`
  }
  const send = (text: Text): Promise<SmsSent> =>
    sendInParts(text.body, texts++, (part) => sendPart(text, part))
  return {
    route: routeOf(options),
    connections: options.connections,
    rate: options.rate,
    listen() {},
    use: (turn, work) => http.turns.take(turn, () => work({ send })),
    close: () => http.close(),
  }
}

/** Kannel's own escapes (`%d`) must arrive unchanged, so the URL is composed by hand. */
function receiptUrl(hook: string, key: string, id: string): string {
  return `${hook}?key=${encodeURIComponent(key)}&id=${id}&type=%d&answer=%A&time=%T`
}

function escapedOctets(octets: Buffer): string {
  return octets.toString('hex').replace(/../g, '%$&')
}

/** Kannel also answers 403 to a wrong password, and 503 when it is temporarily unable. */
function refusalOf(status: number, words: string): SmsSent {
  const code = String(status)
  if (/authorization failed/i.test(words)) {
    return { result: 'untouched', fault: 'Kannel refuses the user or the password of SMS_URL' }
  }
  const refused = (outcome: Pick<SmsRefused, 'final' | 'kind'>): SmsSent => ({
    result: 'refused',
    ...outcome,
    code,
    words,
  })
  if (status === 503) return refused({ final: false, kind: 'soft' })
  if (status >= 500) return { result: 'unclear', fault: `Kannel answers ${status}` }
  return refused({ final: true, kind: 'unknown' })
}

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
