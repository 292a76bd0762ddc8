/** Parses returned mail within limits, because strangers can send it. */
import type { Attachment, Email } from 'postal-mime'
import { limits } from '../config.ts'

/** The parts of a returned mail that are examined. */
export interface ReturnedMail {
  messageId: string | undefined
  subject: string
  /** The human-readable part, as text. */
  text: string
  /** The machine-readable parts by media type in lower case, the first part of each type. */
  parts: ReadonlyMap<string, string>
}

/** Limits beyond any real report; content beyond them is not read (RFC 3462 nests two levels). */
const bounds = {
  maxNestingDepth: 10,
  maxHeadersSize: 64 * 1024,
  // The message that a report returns is evidence: it is searched as text, not parsed.
  maxRfc822NestingDepth: 0,
  attachmentEncoding: 'utf8',
} as const

/** Returns undefined if the mail cannot be parsed. Only the beginning of a long mail is read. */
export async function readMail(source: Buffer): Promise<ReturnedMail | undefined> {
  const email = await parsed(headOf(source))
  if (!email) return undefined
  const parts = new Map<string, string>()
  for (const { mimeType, content } of email.attachments.toReversed()) {
    parts.set(mimeType, asText(content))
  }
  return {
    messageId: email.messageId,
    subject: email.subject ?? '',
    text: email.text ?? email.html ?? '',
    parts,
  }
}

/** Limits lines as well as bytes: for the parser an empty line takes as long as a full one. */
function headOf(source: Buffer): Buffer {
  const head = source.subarray(0, limits.returnedMailBytes)
  let end = -1
  for (let line = 0; line < limits.returnedMailLines; line++) {
    end = head.indexOf(0x0a, end + 1)
    if (end < 0) return head
  }
  return head.subarray(0, end)
}

async function parsed(source: Buffer): Promise<Email | undefined> {
  // Loaded at the first mail, because an idle service does not need it.
  const { default: PostalMime } = await import('postal-mime')
  try {
    return await PostalMime.parse(source, bounds)
  } catch {
    // The parser throws at its limits, and a mail that exceeds them is not a report.
    return undefined
  }
}

function asText(content: Attachment['content']): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content)
}
