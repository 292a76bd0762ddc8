/**
 * Commands and replies over a connection that is greeted, encrypted where required, and logged in.
 * Commands that belong together are one write, and one listener reads all replies: with a stream, a
 * timer and a callback for each step a message cost a third more.
 */
import type { Socket } from 'node:net'

export interface Reply {
  /** The three digits of the reply, or 0 where it does not start with them. */
  code: number
  /** The whole reply, with lines separated by `\n`. */
  words: string
}

export interface Replies {
  /** As many replies as requested, unless the connection ended or the relay sent 421. */
  replies: Reply[]
  /** The reason why the connection ended before that. */
  fault: string | undefined
  /** Whether any byte was written; false on a connection that had already ended. */
  asked: boolean
}

export interface Dialogue {
  /** Writes the commands in one piece and waits for as many replies; one exchange at a time. */
  ask(what: readonly (string | Buffer)[], replies: number): Promise<Replies>
  /** Whether some of the commands are still unsent, so that the relay cannot have them. */
  readonly isWriting: boolean
  /** Ends the exchange that waits for replies, with this fault. */
  end(fault: string): void
}

/** The most characters of replies that are buffered before they are processed. */
const longestReply = 64 * 1024

/** `broken` is called on a protocol error, after which the connection can no longer be used. */
export function createDialogue(socket: Socket, broken: (fault: string) => void): Dialogue {
  let rest = ''
  /** The lines of an incomplete reply, each with its end. */
  let lines = ''
  let said: Reply[] = []
  let wanted = 0
  let answer: ((replies: Replies) => void) | undefined
  let over: string | undefined

  const done = (fault: string | undefined): void => {
    const tell = answer
    answer = undefined
    tell?.({ replies: said, fault, asked: true })
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
    said.push({ code: codeOf(words), words })
    // Nothing more follows a 421 (RFC 5321 section 3.8).
    if (said.length === wanted || said.at(-1)?.code === 421) done(undefined)
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
    ask(what, replies) {
      if (over !== undefined) return Promise.resolve({ replies: [], fault: over, asked: false })
      said = []
      wanted = replies
      return new Promise((resolve) => {
        answer = resolve
        socket.cork()
        for (const part of what) socket.write(part)
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
