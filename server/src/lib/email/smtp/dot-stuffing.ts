/** Dot-stuffing: the content of a message as DATA takes it (RFC 5321 section 4.5.2). */

const dot = 0x2e

/**
 * Lines that begin with a dot get one more. Every line break is CRLF already, which
 * `lib/email/message.ts` sees to: others would be the end of the message to some. What has no such
 * line, as what we build, is not copied.
 */
export function dotStuffed(message: Buffer): Buffer {
  if (message[0] !== dot && !message.includes('\n.')) return message
  return Buffer.from(message.toString('latin1').replace(/^\./gm, '..'), 'latin1')
}
