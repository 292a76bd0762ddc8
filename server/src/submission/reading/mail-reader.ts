/** Parses submitted mails in a thread with a deadline, which businesses share evenly. */
import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { createThread, isStopped } from '../../lib/threads/thread.ts'
import type { SubmittedMail } from './mail.ts'

export interface MailReader {
  read(source: Buffer, businessId: Id<'business'>): Promise<SubmittedMail | Refusal>
  close(): Promise<void>
}

export const mailReaderLimits = {
  /** Lines of a mail: one of 14 MB in base64 has 190,000. The parser takes some 25 µs for each. */
  lines: 300_000,
  /** Milliseconds of processor time for one mail. The largest that Crier accepts takes two seconds. */
  deadlineMs: 10_000,
  heapMb: 192,
}

export function createMailReader(limits = mailReaderLimits): MailReader {
  const thread = createThread<Uint8Array, SubmittedMail | null>({
    module: new URL('./thread.ts', import.meta.url),
    heapMb: limits.heapMb,
    mostWaiting: { each: 20, all: 200 },
  })
  return {
    async read(source, businessId) {
      if (!hasAtMost(source, limits.lines)) {
        const text = `The mail has more than ${limits.lines} lines. Send a link to the file instead.`
        return refuse('too_large', text)
      }
      const { deadlineMs } = limits
      const mail = await thread.ask(source, { tenant: businessId, deadlineMs })
      if (mail === null) return unreadable()
      if (!isStopped(mail)) return mail
      if (mail.stopped === 'deadline' || mail.stopped === 'memory') return unreadable()
      const text = 'Too many mails are being read at this moment. Send it again in a minute.'
      return refuse('unavailable', text)
    },
    close: () => thread.close(),
  }
}

function hasAtMost(source: Buffer, lines: number): boolean {
  let end = -1
  for (let line = 0; line <= lines; line++) {
    end = source.indexOf(0x0a, end + 1)
    if (end < 0) return true
  }
  return false
}

function unreadable(): Refusal {
  const text =
    'The mail cannot be read: it has too many parts, parts within parts deeper than ten, or headers of more than 64 kB.'
  return refuse('invalid_request', text)
}
