/**
 * Texts through Kannel's `sendsms` (Kannel user guide, chapter 6). Kannel returns no id for an
 * accepted text, so the id is ours: the URL that its receipts call contains it. Long texts are cut
 * here, because Kannel cuts an emoji in two, and drops everything beyond its `max-messages`, which
 * is 1 by default.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { createHttpLines } from './http-transport.ts'
import { sendInParts, type TextPart } from './in-parts.ts'
import { routeOf, type SmsOptions } from './sms-url.ts'
import type { SmsRefused, SmsSent, SmsTransport, Text } from './transport.ts'

export interface KannelDeps {
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
