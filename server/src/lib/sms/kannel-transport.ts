/**
 * Texts through Kannel's `sendsms` (Kannel user guide, chapter 6). It gives no id to a text
 * that it takes, so the id is ours: its receipts bring it back in the address that they call.
 * Long texts are cut here: Kannel by itself cuts an emoji in two, and drops what is beyond
 * its `max-messages`, which is 1 where nobody set it.
 */
import { randomInt, randomUUID } from 'node:crypto'
import { createHttpLines } from './http-transport.ts'
import { sendInParts, type TextPart } from './in-parts.ts'
import { routeOf, type SmsOptions } from './sms-url.ts'
import type { SmsRefused, SmsSent, SmsTransport, Text } from './transport.ts'

export interface KannelDeps {
  /** Where its receipts reach us, such as `https://crier.example/hooks/sms/kannel`. */
  hook: string
}

/** Delivered, failed, and refused by the network; not that it is still on its way. */
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
    // Octets, which a query's own escaping would take for characters.
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

/** Its own escapes (`%d`) must reach it as they are, so the address is put together by hand. */
function receiptUrl(hook: string, key: string, id: string): string {
  return `${hook}?key=${encodeURIComponent(key)}&id=${id}&type=%d&answer=%A&time=%T`
}

function escapedOctets(octets: Buffer): string {
  return octets.toString('hex').replace(/../g, '%$&')
}

/** 403 is also what it says to a wrong password, and 503 that it cannot just now. */
function refusalOf(status: number, words: string): SmsSent {
  const code = String(status)
  if (/authorization failed/i.test(words)) {
    return { result: 'untouched', fault: 'Kannel refuses the user or the password of SMS_URL' }
  }
  const refused = (given: Pick<SmsRefused, 'final' | 'kind'>): SmsSent => ({
    result: 'refused',
    ...given,
    code,
    words,
  })
  if (status === 503) return refused({ final: false, kind: 'soft' })
  if (status >= 500) return { result: 'unclear', fault: `Kannel answers ${status}` }
  return refused({ final: true, kind: 'unknown' })
}
