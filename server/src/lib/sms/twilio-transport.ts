/** Texts through Twilio's REST interface, or through another provider with the same interface. */
import { createHttpLines } from './http-transport.ts'
import { composeText } from './segments.ts'
import { routeOf, type SmsOptions } from './sms-url.ts'
import type { SmsSent, SmsTransport, Text } from './transport.ts'
import { twilioRefusal } from './twilio-refusals.ts'

export interface TwilioDeps {
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

function parse(body: Buffer): Answer {
  try {
    const value: unknown = JSON.parse(body.toString())
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
