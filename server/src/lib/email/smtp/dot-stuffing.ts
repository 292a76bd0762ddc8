/** Dot-stuffing: the content of a message as DATA takes it (RFC 5321 section 4.5.2). */

const dot = 0x2e

/**
 * Adds a second dot to lines that begin with one. Every line break is CRLF already, which
 * `lib/email/message.ts` ensures: some servers would take others for the end of the message. A
 * message without such a line, such as any that we build, is not copied.
 */
export function dotStuffed(message: Buffer): Buffer {
  if (message[0] !== dot && !message.includes('\n.')) return message
  return Buffer.from(message.toString('latin1').replace(/^\./gm, '..'), 'latin1')
}
