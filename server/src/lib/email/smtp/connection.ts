/**
 * One connection to a relay. nodemailer's class opens it, since it implements TLS and
 * authentication, and detects when the relay goes silent. Our code sends the messages
 * (`transaction.ts`).
 */
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { seconds } from '../../time/clock.ts'
import { Unreachable } from '../../transport/unreachable.ts'
import type { Envelope, Sent } from '../transport.ts'
import { createDialogue, type Dialogue } from './dialogue.ts'
import { relayFault } from './fault.ts'
import { type Skills, transact } from './transaction.ts'
import type { SmtpOptions } from './url.ts'

export interface Deadlines {
  /** Milliseconds to connect, and then again to receive the greeting. */
  connectMs: number
  /** Milliseconds without any data from the relay. */
  silenceMs: number
  /** Milliseconds for one message, from MAIL FROM to the reply to its content. */
  messageMs: number
}

export function deadlinesOf({ silenceMs }: Pick<SmtpOptions, 'silenceMs'>): Deadlines {
  return {
    connectMs: Math.min(silenceMs, seconds(15)),
    silenceMs,
    // The overall limit for a relay that keeps sending without finishing.
    messageMs: silenceMs * 2,
  }
}

export interface Connection {
  /** False once the connection can no longer be used. */
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
    requireTLS: options.requireTls,
    connectionTimeout: deadlines.connectMs,
    greetingTimeout: deadlines.connectMs,
    socketTimeout: deadlines.silenceMs,
    socketCloseTimeout: 1000,
    maxResponseSize: 64 * 1024,
    allowInternalNetworkInterfaces: true,
  })
  let open = true
  let dialogue: Dialogue | undefined
  const gone = (fault: string) => {
    open = false
    dialogue?.end(fault)
  }
  smtp.on('end', () => gone('the relay hung up'))
  smtp.on('error', (error) => gone(faultIn(error)))
  let skills: Skills
  try {
    skills = skillsIn(await connected(smtp), options)
    if (options.auth) await loggedIn(smtp, options.auth)
    dialogue = takenOver(smtp, (fault) => {
      gone(fault)
      smtp.close()
    })
  } catch (error) {
    smtp.close()
    throw unreachable(error)
  }
  const session = dialogue
  return {
    get open() {
      return open
    },
    async send(envelope, message) {
      const late = setTimeout(() => session.end('the relay took too long'), deadlines.messageMs)
      const { sent, goesOn } = await transact(session, skills, { envelope, message })
      if (!goesOn) {
        open = false
        smtp.close()
      }
      clearTimeout(late)
      return sent
    },
    close() {
      if (open) smtp.quit()
      open = false
    },
  }
}

/** Connects and returns the relay's reply to EHLO. */
function connected(smtp: SMTPConnection): Promise<string> {
  return new Promise((resolve, reject) => {
    smtp.once('error', reject)
    smtp.connect((error) => {
      smtp.off('error', reject)
      if (error) reject(error)
      else resolve(smtp.lastServerResponse || '')
    })
  })
}

function skillsIn(ehlo: string, { receipts }: Pick<SmtpOptions, 'receipts'>): Skills {
  const size = /^250[ -]SIZE\b(?:[ \t]+(\d+))?/im.exec(ehlo)
  return {
    pipelining: /^250[ -]PIPELINING\b/im.test(ehlo),
    receipts: /^250[ -]DSN\b/im.test(ehlo) ? receipts : 'none',
    // Zero, like a missing number, means no known limit (RFC 1870 section 4).
    size: size ? Number(size[1]) || Number.POSITIVE_INFINITY : undefined,
  }
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

/** Replaces nodemailer's listener on the socket with our own. */
function takenOver(smtp: SMTPConnection, broken: (fault: string) => void): Dialogue {
  const { _socket: socket } = smtp
  if (!socket) throw new Unreachable('ESOCKET')
  socket.removeAllListeners('data')
  return createDialogue(socket, broken)
}

const faults: Record<string, string> = {
  ETIMEDOUT: 'the relay fell silent',
  ECONNECTION: 'the relay hung up',
  ETLS: 'the relay offers no TLS',
  ESOCKET: 'the connection broke',
}

function faultIn(error: unknown): string {
  const { code } = error as NodeJS.ErrnoException
  return faults[code ?? ''] ?? `the relay could not be spoken to (${code ?? 'no code'})`
}

function unreachable(error: unknown): Unreachable {
  if (error instanceof Unreachable) return error
  const { code, reply } = relayFault(error)
  return new Unreachable(code, reply)
}
