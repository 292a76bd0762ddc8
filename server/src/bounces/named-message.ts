/**
 * Finds the message that a complaint is about. The address of complaints names no message, so the
 * mail must contain something that only we can have made: the return path, which providers repeat
 * in `Original-Mail-From` and in the headers of the message that they enclose.
 */
import type { Id } from '../core/ids.ts'
import type { Vault } from '../lib/crypto/vault.ts'
import { readReturnPath } from '../messages/model/return-path.ts'
import type { ReturnedMail } from './read-mail.ts'

const parts = ['message/feedback-report', 'text/rfc822-headers', 'message/rfc822']

/** The most addresses that are tried, each with an HMAC. */
const mostTries = 20

export function messageNamedIn(
  vault: Pick<Vault, 'hmac'>,
  mail: ReturnedMail,
): Id<'message'> | undefined {
  const text = parts.map((type) => mail.parts.get(type) ?? '').join('\n')
  const found = text.matchAll(/\bb\+msg_[0-9a-z]{26}\.[0-9a-f]{20}@[^\s<>"';,]{1,255}/gi)
  for (const [address] of found.take(mostTries)) {
    const messageId = readReturnPath(vault, address)
    if (messageId) return messageId
  }
  return undefined
}
