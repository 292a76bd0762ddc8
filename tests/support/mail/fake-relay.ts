/** A relay on loopback whose behaviour a test sets message by message, and which keeps accepted mail. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface AcceptedMail {
  from: string
  to: string
  user: string | undefined
  source: string
}

export interface FakeRelay {
  port: number
  taken: AcceptedMail[]
  /** The number of open connections, and its maximum so far. */
  open: number
  most: number
  url(parameters?: string, credentials?: string): string
  stop(): Promise<void>
}

/** An SMTP reply such as `451 4.7.1 slow down`, as an error that the server answers with. */
export function reply(words: string): Error {
  const [code = '', ...rest] = words.split(' ')
  return Object.assign(new Error(rest.join(' ')), { responseCode: Number(code) })
}

export async function startFakeRelay(
  options: SMTPServerOptions = {},
  port = 0,
): Promise<FakeRelay> {
  const relay: FakeRelay = {
    port: 0,
    taken: [],
    open: 0,
    most: 0,
    url: (parameters = '', credentials = '') =>
      `smtp://${credentials}127.0.0.1:${relay.port}${parameters}`,
    stop: () => new Promise<void>((done) => server.close(done)),
  }
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect(_session, done) {
      relay.open++
      relay.most = Math.max(relay.most, relay.open)
      done()
    },
    onClose() {
      relay.open--
    },
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope
      text(stream).then((source) => {
        const from = mailFrom ? mailFrom.address : ''
        const [to = ''] = rcptTo.map((address) => address.address)
        // If the relay was stopped meanwhile, it answered 421 and did not accept the mail.
        const isHeard = [...server.connections].some(({ id }) => id === session.id)
        if (isHeard) relay.taken.push({ from, to, user: session.user, source })
        done()
      }, done)
    },
    ...options,
  })
  server.on('error', () => {})
  const listener = server.listen(port, '127.0.0.1')
  await once(listener, 'listening')
  relay.port = (listener.address() as AddressInfo).port
  return relay
}
