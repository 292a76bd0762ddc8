/**
 * Commands and replies over a connection that is greeted, safe and logged in. One write for
 * as many commands as go together, one listener for all replies: with a stream, a timer and
 * a callback for each step a message cost a third more.
 */
import type { Socket } from 'node:net'

export interface Reply {
  /** Its three digits; 0 where it has none. */
  code: number
  /** All of it, lines parted by `\n`. */
  words: string
}

export interface Replies {
  /** As many as were asked for, but where the connection ended or the relay said 421. */
  replies: Reply[]
  /** Why it ended before that. */
  fault: string | undefined
}

export interface Dialogue {
  /** Writes these in one piece and waits for so many replies; one asks at a time. */
  ask(what: readonly (string | Buffer)[], replies: number): Promise<Replies>
  /** What waits for replies gets none any more. */
  end(fault: string): void
}

/** Characters of replies that are not read out yet. */
const longestReply = 64 * 1024

/** `broken` is told of what breaks the rules: the connection is of no more use. */
export function createDialogue(socket: Socket, broken: (fault: string) => void): Dialogue {
  let rest = ''
  /** Lines of a reply that goes on, each with its end. */
  let lines = ''
  let said: Reply[] = []
  let wanted = 0
  let answer: ((replies: Replies) => void) | undefined
  let over: string | undefined

  const done = (fault: string | undefined): void => {
    const tell = answer
    answer = undefined
    tell?.({ replies: said, fault })
  }
  const take = (line: string): void => {
    if (line === '') return
    if (/^\d+-/.test(line)) {
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
    // After 421 nothing more comes (RFC 5321 section 3.8).
    if (said.length === wanted || said.at(-1)?.code === 421) done(undefined)
  }
  const end = (fault: string): void => {
    if (over !== undefined) return
    over = fault
    // Some hang up without ending the line in which they say why.
    if (answer && /^[45]\d\d[ -]/.test(rest)) take(rest)
    done(fault)
  }

  socket.on('data', (chunk: Buffer) => {
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
      if (over !== undefined) return Promise.resolve({ replies: [], fault: over })
      said = []
      wanted = replies
      return new Promise((resolve) => {
        answer = resolve
        socket.cork()
        for (const part of what) socket.write(part)
        socket.uncork()
      })
    },
    end,
  }
}

const codeOf = (words: string) => Number(/^\d{3}(?!\d)/.exec(words)?.[0] ?? 0)

/** As UTF-8 where it is that; what no database keeps is left out. */
function readable(words: string): string {
  if (/^[\n -~]*$/.test(words)) return words
  return Buffer.from(words, 'latin1').toString().replaceAll('\0', '')
}
