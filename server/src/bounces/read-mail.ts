/** Mail that came back, split within bounds: strangers send it. */
import type { Attachment, Email } from 'postal-mime'
import { limits } from '../config.ts'

/** What is looked at of a mail. */
export interface ReturnedMail {
  messageId: string | undefined
  subject: string
  /** The part for people, as text. */
  text: string
  /** The parts for machines by their type in lower case, the first of each type. */
  parts: ReadonlyMap<string, string>
}

/** Deeper or larger than any report is; what is beyond is not read (RFC 3462 nests two levels). */
const bounds = {
  maxNestingDepth: 10,
  maxHeadersSize: 64 * 1024,
  // The message that a report returns is evidence: it is searched, not split.
  maxRfc822NestingDepth: 0,
  attachmentEncoding: 'utf8',
} as const

/** Undefined where it cannot be read at all. Of a long one the beginning is read. */
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

/** Lines are bounded beside bytes: the parser takes as long for an empty one as for a full. */
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
  // Not before the first mail: an idle service has no use for it.
  const { default: PostalMime } = await import('postal-mime')
  try {
    return await PostalMime.parse(source, bounds)
  } catch {
    // Its limits throw, and what is beyond them is no report.
    return undefined
  }
}

function asText(content: Attachment['content']): string {
  return typeof content === 'string' ? content : new TextDecoder().decode(content)
}
