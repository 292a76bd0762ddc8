/**
 * One connection to a relay: nodemailer's, which knows TLS, authentication and pipelining,
 * behind deadlines of our own. It tells whether the content of a message was begun, which
 * is what parts a message that nobody has from one that somebody may have.
 */
import { Readable, type Transform } from 'node:stream'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { seconds } from '../clock.ts'
import { Unreachable } from '../unreachable.ts'
import { dotStuffed } from './dot-stuffing.ts'
import type { SmtpOptions } from './smtp-url.ts'
import type { Envelope, Sent } from './wire.ts'

export interface Deadlines {
  /** To connect, and then to be greeted, in milliseconds. */
  connectMs: number
  /** Without a word from the relay. */
  silenceMs: number
  /** For one message, from MAIL FROM to the reply to its content. */
  messageMs: number
}

export function deadlinesOf({ silenceMs }: Pick<SmtpOptions, 'silenceMs'>): Deadlines {
  return {
    connectMs: Math.min(silenceMs, seconds(15)),
    silenceMs,
    // One that keeps talking and never comes to the point.
    messageMs: silenceMs * 2,
  }
}

export interface Connection {
  /** False once it is of no more use. */
  readonly open: boolean
  send(envelope: Envelope, message: Buffer): Promise<Sent>
  close(): void
}

export async function openConnection(
  options: SmtpOptions,
  deadlines: Deadlines,
): Promise<Connection> {
  const { default: Smtp } = await import('nodemailer/lib/smtp-connection')
  const smtp = new Smtp({
    host: options.host,
    port: options.port,
    secure: options.secure,
    connectionTimeout: deadlines.connectMs,
    greetingTimeout: deadlines.connectMs,
    socketTimeout: deadlines.silenceMs,
    socketCloseTimeout: 1000,
    maxResponseSize: 64 * 1024,
    allowInternalNetworkInterfaces: true,
  })
  let open = true
  const gone = () => {
    open = false
  }
  smtp.on('end', gone)
  smtp.on('error', gone)
  try {
    await connected(smtp)
    if (options.auth) await loggedIn(smtp, options.auth)
  } catch (error) {
    smtp.close()
    throw unreachable(error)
  }
  return {
    get open() {
      return open
    },
    async send(envelope, message) {
      const sent = await sendWithin(smtp, { envelope, message, ms: deadlines.messageMs })
      // The session goes on after a refusal (RFC 5321 section 3.3), save that 421 ends it.
      const ends = sent.result === 'untouched' || sent.result === 'unclear'
      if (ends || (sent.result === 'refused' && sent.code === 421)) {
        open = false
        smtp.close()
      } else if (sent.result === 'refused' && open) open = await reset(smtp)
      return sent
    },
    close() {
      if (open) smtp.quit()
      open = false
    },
  }
}

function connected(smtp: SMTPConnection): Promise<void> {
  return new Promise((resolve, reject) => {
    smtp.once('error', reject)
    smtp.connect((error) => {
      smtp.off('error', reject)
      if (error) reject(error)
      else resolve()
    })
  })
}

function loggedIn(smtp: SMTPConnection, auth: { user: string; pass: string }): Promise<void> {
  return new Promise((resolve, reject) => {
    smtp.once('error', reject)
    smtp.login(auth, (error) => {
      smtp.off('error', reject)
      if (error) reject(error)
      else resolve()
    })
  })
}

interface Sending {
  envelope: Envelope
  message: Buffer
  ms: number
}

function sendWithin(smtp: SMTPConnection, { envelope, message, ms }: Sending): Promise<Sent> {
  return new Promise((resolve) => {
    let begun = false
    const content = contentOf(message, () => {
      begun = true
    })
    const lost = (fault: string): Sent => ({ result: begun ? 'unclear' : 'untouched', fault })
    const late = setTimeout(() => {
      resolve(lost('the relay took too long'))
      smtp.close()
    }, ms)
    smtp.send({ ...addresses(envelope), size: message.length }, content, (error, info) => {
      clearTimeout(late)
      content.destroy()
      if (!error) resolve({ result: 'accepted', words: info?.response ?? '250' })
      else resolve(refusalIn(error) ?? lost(faultIn(error)))
    })
  })
}

/** Told when it is read: from the moment the relay has said 354, and not before. */
function contentOf(message: Buffer, begin: () => void): Readable {
  const stuffed = dotStuffed(message)
  const content = new Readable({
    read() {
      begin()
      this.push(message)
      this.push(null)
    },
  })
  if (!stuffed) return content
  // Its stream looks at each byte, a tenth of a sender's time: past it, with the same end.
  return Object.assign(content, {
    pipe<Stream extends NodeJS.WritableStream>(stream: Stream): Stream {
      begin()
      const end = stuffed.at(-1) === 0x0a ? '.\r\n' : '\r\n.\r\n'
      const target = stream as unknown as Transform
      target._flush = (done) => done(null, end)
      target.push(stuffed)
      target.end()
      return stream
    },
  })
}

const addresses = ({ from, to }: Envelope) => ({ from, to: [to] })

interface SmtpFault {
  code?: string
  response?: string
  responseCode?: number
}

function refusalIn(error: unknown): Sent | undefined {
  const { responseCode, response } = error as SmtpFault
  if (responseCode === undefined || responseCode < 400) return undefined
  return { result: 'refused', code: responseCode, words: response ?? String(responseCode) }
}

const faults: Record<string, string> = {
  ETIMEDOUT: 'the relay fell silent',
  ECONNECTION: 'the relay hung up',
  ESOCKET: 'the connection broke',
}

function faultIn(error: unknown): string {
  const { code } = error as SmtpFault
  return faults[code ?? ''] ?? `the relay could not be spoken to (${code ?? 'no code'})`
}

function unreachable(error: unknown): Unreachable {
  const { code, response } = error as SmtpFault
  return new Unreachable(code ?? 'ESOCKET', response)
}

function reset(smtp: SMTPConnection): Promise<boolean> {
  return new Promise((resolve) => {
    const broken = () => resolve(false)
    smtp.once('error', broken)
    smtp.reset((error) => {
      smtp.off('error', broken)
      resolve(!error)
    })
  })
}
