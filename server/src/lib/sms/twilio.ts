/**
 * Texts through Twilio's REST interface, or through another provider with the same interface: sent,
 * and its signed requests read, with the codes of its refusals.
 */

import { createHmac, timingSafeEqual } from 'node:crypto'
import { createHttpLines } from './http-transport.ts'
import { composeText } from './segments.ts'
import { routeOf, type SmsOptions } from './sms-url.ts'
import type {
  InboundText,
  RefusalKind,
  SmsReceipt,
  SmsRefused,
  SmsSent,
  SmsTransport,
  Text,
} from './transport.ts'

interface TwilioDeps {
  /** The URL for its receipts, such as `https://crier.example/hooks/sms/twilio`. */
  hook: string
}

export function createTwilioTransport(options: SmsOptions, { hook }: TwilioDeps): SmsTransport {
  const http = createHttpLines(options)
  const account = encodeURIComponent(options.user)
  const url = `${http.origin}/2010-04-01/Accounts/${account}/Messages.json`
  const login = Buffer.from(`${options.user}:${options.password}`).toString('base64')
  const headers = {
    authorization: `Basic ${login}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  const send = async (text: Text): Promise<SmsSent> => {
    const form = new URLSearchParams({
      To: text.to,
      Body: composeText(text.body),
      StatusCallback: hook,
      ...senderOf(text.from ?? options.from),
    })
    const answer = await http.ask({ url, method: 'POST', headers, body: form.toString() })
    return 'result' in answer ? answer : readAnswer(answer.status, answer.body)
  }
  return {
    route: routeOf(options),
    connections: options.connections,
    rate: options.rate,
    listen() {},
    use: (turn, work) => http.turns.take(turn, () => work({ send })),
    close: () => http.close(),
  }
}

/** Twilio's messaging services send for a pool of numbers and are named by an id. */
function senderOf(from: string | undefined): Record<string, string> {
  if (from === undefined) return {}
  return /^MG[0-9a-f]{32}$/i.test(from) ? { MessagingServiceSid: from } : { From: from }
}

interface Answer {
  sid?: unknown
  status?: unknown
  num_segments?: unknown
  code?: unknown
  message?: unknown
}

function readAnswer(status: number, body: Buffer): SmsSent {
  const answer = parse(body)
  const message = typeof answer.message === 'string' ? answer.message.slice(0, 300) : ''
  if (status >= 200 && status < 300) {
    if (typeof answer.sid !== 'string') {
      return { result: 'unclear', fault: 'the provider took the text without naming it' }
    }
    const segments = Number(answer.num_segments)
    return {
      result: 'accepted',
      providerId: answer.sid,
      // The count is 0 until Twilio has chosen a sender of a messaging service.
      ...(segments > 0 && { segments }),
      words: typeof answer.status === 'string' ? answer.status.slice(0, 40) : String(status),
    }
  }
  const code = String(typeof answer.code === 'number' ? answer.code : status)
  if (status === 401 || code === '20003') {
    return { result: 'untouched', fault: 'the provider refuses the account or token of SMS_URL' }
  }
  if (status === 503) return { ...twilioRefusal(status, code, message), final: false, kind: 'soft' }
  if (status >= 500) return { result: 'unclear', fault: `the provider answers ${status}` }
  return twilioRefusal(status, code, message)
}

/** For a response to a request of ours. `status` is the HTTP status. */
function twilioRefusal(status: number, code: string, words: string): SmsRefused {
  const slower = status === 429 || slowed.has(code)
  const kind = slower ? 'soft' : twilioKind(code)
  return {
    result: 'refused',
    final: kind !== 'soft',
    kind,
    ...(slower && { slower }),
    code,
    words,
  }
}

const slowed = new Set(['20429', '30001', '14107'])

export function twilioKind(code: string): RefusalKind {
  // A caller of our webhook endpoint may send any code, including `constructor`.
  return Object.hasOwn(kinds, code) ? (kinds[code] ?? 'unknown') : 'unknown'
}

const kinds: Record<string, RefusalKind> = {
  // The number: invalid, not a mobile, unreachable, unknown, a landline.
  21211: 'hard',
  21217: 'hard',
  21401: 'hard',
  21421: 'hard',
  21614: 'hard',
  30005: 'hard',
  30006: 'hard',
  // The person sent STOP to this number or messaging service ("Error 21610").
  21610: 'stopped',
  // The sender or the content: no permission for the country, an invalid sender, filtered.
  21408: 'policy',
  21212: 'policy',
  21603: 'policy',
  21606: 'policy',
  21611: 'policy',
  21612: 'policy',
  21619: 'policy',
  21660: 'policy',
  30004: 'policy',
  30007: 'policy',
  30034: 'policy',
  // Temporary: the queue is full, the phone is off, the network is at fault.
  20429: 'soft',
  21617: 'policy',
  30001: 'soft',
  30003: 'soft',
  30008: 'unknown',
}

function parse(body: Buffer): Answer {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}

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

interface TwilioCall {
  /** The whole URL as Twilio knows it: scheme, host, path and query. */
  url: string
  /** The form that Twilio posted. */
  form: URLSearchParams
  /** The header `X-Twilio-Signature`. */
  signature: string
  /** The account's auth token. */
  token: string
}

export function isTwilioCall({ url, form, signature, token }: TwilioCall): boolean {
  const received = Buffer.from(signature, 'base64')
  const fields = fieldsOf(form)
  // Twilio signs with the standard port or without it, which differs from edge to edge.
  return spellingsOf(url).some((spelling) => {
    const expected = createHmac('sha1', token)
      .update(spelling + fields)
      .digest()
    return received.length === expected.length && timingSafeEqual(received, expected)
  })
}

function fieldsOf(form: URLSearchParams): string {
  return [...new Set(form.keys())]
    .sort()
    .map((name) =>
      [...new Set(form.getAll(name))]
        .sort()
        .map((value) => name + value)
        .join(''),
    )
    .join('')
}

function spellingsOf(url: string): string[] {
  const [, scheme, name, port, rest] =
    /^(https?):\/\/([^/?#]+?)(?::(\d+))?([/?].*)?$/.exec(url) ?? []
  if (!scheme || !name) return []
  const standard = scheme === 'https' ? '443' : '80'
  return [
    `${scheme}://${name}${rest ?? ''}`,
    `${scheme}://${name}:${port ?? standard}${rest ?? ''}`,
  ]
}
