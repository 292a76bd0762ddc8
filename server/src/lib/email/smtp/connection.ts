/**
 * One connection to a relay. nodemailer's class opens it, since it implements TLS and
 * authentication, and detects when the relay goes silent. Our code sends the messages.
 */

import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type SMTPConnection from 'nodemailer/lib/smtp-connection'
import { seconds } from '../../time/clock.ts'
import { Unreachable } from '../../transport/unreachable.ts'
import type { Envelope, SendResult } from '../transport.ts'
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
  send(envelope: Envelope, message: Buffer): Promise<SendResult>
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

export interface RelayFault {
  /** That of the socket or of TLS, such as ECONNREFUSED, else nodemailer's own. */
  code: string
  /** The relay's reply, if it gave one. */
  reply: string | undefined
}

export function relayFault(error: unknown): RelayFault {
  const { code, originalCode, response } = error as {
    code?: string
    originalCode?: string
    response?: string
  }
  return { code: originalCode ?? code ?? 'ESOCKET', reply: response || undefined }
}

/** What the relay announced in EHLO. */
interface Skills {
  /** Whether it accepts commands before it has replied to earlier ones (RFC 2920). */
  pipelining: boolean
  /** The largest message in bytes (RFC 1870); undefined where the relay does not support SIZE. */
  size: number | undefined
  /** Whether it reports on delivery as it is asked to (RFC 3461), and for which mail it is asked. */
  receipts?: SmtpOptions['receipts']
}

interface Transacted {
  sent: SendResult
  /** Whether the session continues with no message in progress. */
  goesOn: boolean
}

/**
 * Sends one message over the connection (RFC 5321 section 3.3). Only after the start of its content
 * may the relay have the message.
 */
async function transact(
  dialogue: Dialogue,
  skills: Skills,
  { envelope, message }: { envelope: Envelope; message: Buffer },
): Promise<Transacted> {
  const bytes = message.length + (endsItsLine(message) ? 0 : 2)
  if (skills.size !== undefined && bytes > skills.size) {
    // The refusal that the relay itself would give (RFC 1870 section 6.1) for every message of
    // this size.
    const words = `552 5.3.4 not sent: it has ${bytes} bytes, the relay takes ${skills.size}`
    return { sent: { result: 'refused', code: 552, words }, goesOn: true }
  }
  const commands = commandsOf(envelope, {
    size: skills.size === undefined ? undefined : bytes,
    wantsReceipt: isAsked(envelope, skills),
  })
  if (!commands) return ended({ result: 'untouched', fault: 'an address cannot be spelt' })
  const { replies, fault } = await (skills.pipelining
    ? dialogue.ask([commands.join('')], commands.length)
    : inTurn(dialogue, commands))
  // For example a 250 to DATA: the relay sent an extra reply earlier, so no reply can be matched to
  // its command.
  const odd = replies.some((reply, n) => !fits(reply, n) && !refused(reply))
  if (odd) return ended({ result: 'untouched', fault: unclear })
  const refusal = replies.find((reply, n) => !fits(reply, n))
  if (refusal) return afterRefusal(dialogue, replies, refusal)
  if (replies.length === commands.length) return content(dialogue, message)
  return ended({ result: 'untouched', fault: fault ?? unclear })
}

/** The three commands before the content; undefined where an address could end a command early. */
function commandsOf(
  { from, to }: Envelope,
  { size, wantsReceipt }: { size: number | undefined; wantsReceipt: boolean },
): string[] | undefined {
  if (/[\r\n<>]/.test(from + to)) return undefined
  const sizeParameter = size === undefined ? '' : ` SIZE=${size}`
  // Without the content, which nobody needs twice.
  const [returnParameter, notifyParameter] = wantsReceipt
    ? [' RET=HDRS', ' NOTIFY=SUCCESS,FAILURE,DELAY']
    : ['', '']
  return [
    `MAIL FROM:<${from}>${sizeParameter}${returnParameter}\r\n`,
    `RCPT TO:<${to}>${notifyParameter}\r\n`,
    'DATA\r\n',
  ]
}

function isAsked({ receiptOf }: Envelope, { receipts = 'none' }: Skills): boolean {
  if (receiptOf === undefined || receipts === 'none') return false
  return receipts === 'all' || receiptOf === 'transactional'
}

/** Whether a reply is positive for the command in that place. */
const fits = (reply: Reply, index: number) => (index === 2 ? isReady(reply) : isDone(reply))

/** For a relay without pipelining: no command follows one that was refused. */
async function inTurn(
  dialogue: Dialogue,
  commands: readonly string[],
): Promise<Omit<Replies, 'isWritten'>> {
  const replies: Reply[] = []
  for (const [index, command] of commands.entries()) {
    const { replies: received, fault } = await dialogue.ask([command], 1)
    replies.push(...received)
    const [reply] = received
    if (!reply || !fits(reply, index)) return { replies, fault }
  }
  return { replies, fault: undefined }
}

async function afterRefusal(
  dialogue: Dialogue,
  replies: readonly Reply[],
  refusal: Reply,
): Promise<Transacted> {
  const [mail, recipient, data] = replies
  const before = refusal === mail ? 'sender' : refusal === recipient ? 'recipient' : undefined
  const sent: SendResult = { result: 'refused', ...refusal, ...(before && { before }) }
  if (data && data !== refusal && isReady(data)) {
    // The relay expects content without a recipient (RFC 2920 section 3.1). An empty one brings the
    // session back into step, unless the relay has just refused the sender.
    if (refusal === mail) return ended(sent)
    await dialogue.ask(['.\r\n'], 1)
  }
  return reset(dialogue, sent)
}

/** From here on the relay may have the message. */
async function content(dialogue: Dialogue, message: Buffer): Promise<Transacted> {
  const stuffed = dotStuffed(message)
  const end = endsItsLine(message) ? '.\r\n' : '\r\n.\r\n'
  const { replies, fault, isWritten } = await dialogue.ask([stuffed, end], 1)
  const [reply] = replies
  if (!reply) {
    return ended({ result: isWritten ? 'unclear' : 'untouched', fault: fault ?? unclear })
  }
  const isEarly = dialogue.isWriting && (await isWritingStill(dialogue))
  if (isDone(reply)) {
    // The relay cannot know what it accepted, and the message's bytes are still in use.
    if (isEarly) return ended({ result: 'unclear', fault: 'the relay replied before the end' })
    return { sent: { result: 'accepted', words: reply.words }, goesOn: true }
  }
  const sent = refused(reply)
  if (!sent) return ended({ result: 'unclear', fault: unclear })
  return isEarly ? ended(sent) : reset(dialogue, sent)
}

/**
 * Adds a second dot to lines that begin with one. Every line break is CRLF already, which
 * `lib/email/message.ts` ensures: some servers would take others for the end of the message. A
 * message without such a line, such as any that we build, is not copied.
 */
export function dotStuffed(message: Buffer): Buffer {
  if (message[0] !== dot && !message.includes('\n.')) return message
  return Buffer.from(message.toString('latin1').replace(/^\./gm, '..'), 'latin1')
}

const dot = 0x2e

const endsItsLine = (message: Buffer) => message.at(-1) === 0x0a

/** With TLS the end of the writing is reported one turn of the event loop late. */
async function isWritingStill(dialogue: Dialogue): Promise<boolean> {
  await nextTurn()
  return dialogue.isWriting
}

/** The session continues after a refusal (section 3.3), except after 421, which ends it. */
async function reset(dialogue: Dialogue, sent: SendResult): Promise<Transacted> {
  if (sent.result === 'refused' && sent.code === 421) return ended(sent)
  const { replies } = await dialogue.ask(['RSET\r\n'], 1)
  return { sent, goesOn: replies.length === 1 && replies.every(isDone) }
}

const unclear = 'the relay could not be understood'

const ended = (sent: SendResult): Transacted => ({ sent, goesOn: false })

const isDone = ({ code }: Reply) => code >= 200 && code < 300

const isReady = ({ code }: Reply) => code >= 300 && code < 400

function refused({ code, words }: Reply): SendResult | undefined {
  return code >= 400 && code < 600 ? { result: 'refused', code, words } : undefined
}

interface Reply {
  /** The three digits of the reply, or 0 where it does not start with them. */
  code: number
  /** The whole reply, with lines separated by `\n`. */
  words: string
}

interface Replies {
  /** As many replies as requested, unless the connection ended or the relay sent 421. */
  replies: Reply[]
  /** The reason why the connection ended before that. */
  fault: string | undefined
  /** Whether any byte was written; false on a connection that had already ended. */
  isWritten: boolean
}

interface Dialogue {
  /** Writes the commands in one piece and waits for as many replies; one exchange at a time. */
  ask(commands: readonly (string | Buffer)[], replies: number): Promise<Replies>
  /** Whether some of the commands are still unsent, so that the relay cannot have them. */
  readonly isWriting: boolean
  /** Ends the exchange that waits for replies, with this fault. */
  end(fault: string): void
}

/** The most characters of replies that are buffered before they are processed. */
const longestReply = 64 * 1024

/**
 * Commands and replies over a connection that is greeted, encrypted where required, and logged in.
 * Commands that belong together are one write, and one listener reads all replies: with a stream, a
 * timer and a callback for each step a message cost a third more. `broken` is called on a protocol
 * error, after which the connection can no longer be used.
 */
function createDialogue(socket: Socket, broken: (fault: string) => void): Dialogue {
  let rest = ''
  /** The lines of an incomplete reply, each with its end. */
  let lines = ''
  let received: Reply[] = []
  let needed = 0
  let answer: ((replies: Replies) => void) | undefined
  let over: string | undefined

  const done = (fault: string | undefined): void => {
    const tell = answer
    answer = undefined
    tell?.({ replies: received, fault, isWritten: true })
  }
  const take = (line: string): void => {
    if (line === '') return
    if (/^\d{3}-/.test(line)) {
      lines += `${line}\n`
      return
    }
    const words = readable(lines + line)
    lines = ''
    if (!answer) {
      broken('the relay spoke out of turn')
      return
    }
    received.push({ code: codeOf(words), words })
    // Nothing more follows a 421 (RFC 5321 section 3.8).
    if (received.length === needed || received.at(-1)?.code === 421) done(undefined)
  }
  const end = (fault: string): void => {
    if (over !== undefined) return
    over = fault
    // Some servers hang up without ending the line that gives the reason.
    if (answer && /^[45]\d\d[ -]/.test(rest)) take(rest)
    done(fault)
    // The relay must not receive the end of a message that may be sent again over another
    // connection.
    if (isWriting()) socket.destroy()
  }
  const isWriting = () => socket.writableLength > 0

  socket.on('data', (chunk: Buffer) => {
    if (over !== undefined) return
    rest += chunk.toString('latin1')
    let from = 0
    for (let at = rest.indexOf('\n'); at >= 0; at = rest.indexOf('\n', from)) {
      take(rest.slice(from, rest[at - 1] === '\r' && at > from ? at - 1 : at))
      from = at + 1
    }
    rest = rest.slice(from)
    if (rest.length + lines.length > longestReply) broken('the relay has no end of a reply')
  })

  return {
    ask(commands, replies) {
      if (over !== undefined) return Promise.resolve({ replies: [], fault: over, isWritten: false })
      received = []
      needed = replies
      return new Promise((resolve) => {
        answer = resolve
        socket.cork()
        for (const part of commands) socket.write(part)
        socket.uncork()
      })
    },
    get isWriting() {
      return isWriting()
    },
    end,
  }
}

/** Every line of a reply has the same code (RFC 5321 section 4.2.1), or the reply is invalid. */
function codeOf(words: string): number {
  const code = /^\d{3}(?!\d)/.exec(words)?.[0]
  if (code === undefined) return 0
  for (let at = words.indexOf('\n'); at >= 0; at = words.indexOf('\n', at + 1)) {
    if (!words.startsWith(code, at + 1)) return 0
  }
  return Number(code)
}

/** The text decoded as UTF-8 where it is valid, without characters that no database stores. */
function readable(words: string): string {
  if (/^[\n -~]*$/.test(words)) return words
  return Buffer.from(words, 'latin1').toString().replaceAll('\0', '')
}
