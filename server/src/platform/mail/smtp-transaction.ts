/**
 * One message over a connection (RFC 5321 section 3.3). Whether its content was begun is
 * what parts a message that nobody has from one that somebody may have.
 */
import { dotStuffed } from './dot-stuffing.ts'
import type { Dialogue, Replies, Reply } from './smtp-dialogue.ts'
import type { Envelope, Sent } from './wire.ts'

/** What the relay told of itself. */
export interface Skills {
  /** Takes commands before it has replied to those in front (RFC 2920). */
  pipelining: boolean
  /** Wants to be told how large a message is (RFC 1870). */
  size: boolean
}

export interface Transacted {
  sent: Sent
  /** The session goes on: it knows of no message any more. */
  goesOn: boolean
}

type Ask = Dialogue['ask']

export async function transact(
  ask: Ask,
  skills: Skills,
  { envelope, message }: { envelope: Envelope; message: Buffer },
): Promise<Transacted> {
  const commands = commandsOf(envelope, skills.size ? message.length : undefined)
  if (!commands) return ended({ result: 'untouched', fault: 'an address cannot be spelt' })
  const { replies, fault } = await (skills.pipelining
    ? ask([commands.join('')], commands.length)
    : inTurn(ask, commands))
  const refusal = replies.find((reply, n) => !(n === 2 ? isReady(reply) : isDone(reply)))
  if (refusal) return afterRefusal(ask, replies, refusal)
  if (replies.length === commands.length) return content(ask, message)
  return ended({ result: 'untouched', fault: fault ?? unclear })
}

/** The three that come before the content; undefined where an address would end one early. */
function commandsOf({ from, to }: Envelope, size: number | undefined): string[] | undefined {
  if (/[\r\n<>]/.test(from + to)) return undefined
  const told = size === undefined ? '' : ` SIZE=${size}`
  return [`MAIL FROM:<${from}>${told}\r\n`, `RCPT TO:<${to}>\r\n`, 'DATA\r\n']
}

/** For a relay that takes one command at a time: none follows one that was refused. */
async function inTurn(ask: Ask, commands: readonly string[]): Promise<Replies> {
  const replies: Reply[] = []
  for (const command of commands) {
    const { replies: said, fault } = await ask([command], 1)
    replies.push(...said)
    const [reply] = said
    if (!reply || !isReady(reply)) return { replies, fault }
  }
  return { replies, fault: undefined }
}

async function afterRefusal(
  ask: Ask,
  replies: readonly Reply[],
  refusal: Reply,
): Promise<Transacted> {
  const sent = refused(refusal)
  if (!sent) return ended({ result: 'untouched', fault: unclear })
  const [mail, , data] = replies
  if (data && data !== refusal && isReady(data)) {
    // It takes a content for nobody (RFC 2920 section 3.1): an empty one, which has the
    // session in step again, but not from a sender whom it has just refused.
    if (refusal === mail) return ended(sent)
    await ask(['.\r\n'], 1)
  }
  return reset(ask, sent)
}

/** From here on somebody may have it. */
async function content(ask: Ask, message: Buffer): Promise<Transacted> {
  const stuffed = dotStuffed(message)
  const end = stuffed.at(-1) === 0x0a ? '.\r\n' : '\r\n.\r\n'
  const { replies, fault } = await ask([stuffed, end], 1)
  const [reply] = replies
  if (!reply) return ended({ result: 'unclear', fault: fault ?? unclear })
  if (isDone(reply)) return { sent: { result: 'accepted', words: reply.words }, goesOn: true }
  const sent = refused(reply)
  return sent ? reset(ask, sent) : ended({ result: 'unclear', fault: unclear })
}

/** The session goes on after a refusal (section 3.3), save that 421 ends it. */
async function reset(ask: Ask, sent: Sent): Promise<Transacted> {
  if (sent.result === 'refused' && sent.code === 421) return ended(sent)
  const { replies } = await ask(['RSET\r\n'], 1)
  return { sent, goesOn: replies.length === 1 && replies.every(isDone) }
}

const unclear = 'the relay could not be understood'
const ended = (sent: Sent): Transacted => ({ sent, goesOn: false })
const isDone = ({ code }: Reply) => code >= 200 && code < 300
/** Some say 250 where they mean 354. */
const isReady = ({ code }: Reply) => code >= 200 && code < 400

function refused({ code, words }: Reply): Sent | undefined {
  return code >= 400 ? { result: 'refused', code, words } : undefined
}
