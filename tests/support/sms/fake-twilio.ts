/**
 * A server with Twilio's REST interface for messages, from its public documentation: it accepts
 * texts for one account, answers as the test sets, and signs its calls to our endpoints.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as read } from 'node:stream/consumers'

const token = 'a1b2c3d4e5f60718293a4b5c6d7e8f90'
const account = `AC${'0'.repeat(32)}`

export interface TakenText {
  sid: string
  form: URLSearchParams
}

export interface FakeTwilio {
  /** With optional parameters of SMS_URL, and optionally another login. */
  url(parameters?: string, login?: string): string
  readonly token: string
  taken: TakenText[]
  /** Answers the next request with this instead. */
  next(answer: (response: ServerResponse) => void): void
  /** Calls one of our endpoints with this signed form; returns the status. */
  call(url: string, form: Record<string, string>): Promise<number>
  close(): void
}

export async function startFakeTwilio(): Promise<FakeTwilio> {
  const taken: TakenText[] = []
  const answers: ((response: ServerResponse) => void)[] = []
  const server = createServer((request, response) => {
    void read(request).then((body) => {
      const answer = answers.shift()
      if (answer) return answer(response)
      const login = `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}`
      if (request.headers.authorization !== login) {
        return say(response, 401, { code: 20003, message: 'Authenticate', status: 401 })
      }
      const path = `/2010-04-01/Accounts/${account}/Messages.json`
      if (request.method !== 'POST' || request.url !== path) {
        return say(response, 404, { code: 20404, message: 'Not found', status: 404 })
      }
      const form = new URLSearchParams(body)
      const sid = `SM${randomBytes(16).toString('hex')}`
      taken.push({ sid, form })
      say(response, 201, { sid, status: 'queued', num_segments: '1', error_code: null })
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: (parameters = '', login = `${account}:${token}`) =>
      `twilio://${login}@${host}?tls=no${parameters}`,
    token,
    taken,
    next: (answer) => void answers.push(answer),
    async call(url, fields) {
      const form = new URLSearchParams(fields)
      const signed = [...form].sort(([a], [b]) => (a < b ? -1 : 1)).flat()
      const signature = createHmac('sha1', token).update(`${url}${signed.join('')}`)
      const headers = { 'x-twilio-signature': signature.digest('base64') }
      return (await fetch(url, { method: 'POST', headers, body: form })).status
    },
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function say(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** An answer with one of Twilio's documented errors. */
export const twilioError = (status: number, code: number, message: string) => {
  return (response: ServerResponse) => say(response, status, { code, message, status })
}
