/** Refusals of operations as SMTP says them (RFC 5321 section 4.2, RFC 3463). */
import type { Code, Refusal } from '../core/errors.ts'
import { SmtpReply } from '../lib/email/inbound/smtp-reply.ts'

/** A client keeps the mail and tries again for 4xx; for 5xx it gives up and tells its sender. */
const replies: Partial<Record<Code, readonly [code: number, status: string]>> = {
  rate_limited: [451, '4.7.1'],
  unavailable: [451, '4.3.0'],
  internal: [451, '4.3.0'],
  unauthorized: [535, '5.7.8'],
  too_large: [552, '5.3.4'],
  invalid_request: [554, '5.6.0'],
}
const otherwise = [550, '5.7.1'] as const

/** A line of a reply has at most 512 bytes (RFC 5321 section 4.5.3.1.5). */
const longest = 400

export function replyOf({ code, message }: Pick<Refusal, 'code' | 'message'>): SmtpReply {
  const [number, status] = replies[code] ?? otherwise
  return new SmtpReply(number, `${status} ${inAscii(message)}`)
}

/** One line of ASCII, whatever the text quotes. */
export function inAscii(text: string): string {
  return text
    .replaceAll('…', '...')
    .replaceAll('’', "'")
    .replaceAll(/[^ -~]/g, '?')
    .slice(0, longest)
}
