/**
 * Sends the service's own mail, such as sign-in links. It is signed where there is a key for its
 * sender, and is sent before all other mail over the same transport.
 */
import { domainToASCII } from 'node:url'
import type { Clock } from '../time/clock.ts'
import type { DkimKey } from './dkim.ts'
import { parseMailbox } from './header-fields.ts'
import type { Transport } from './transport.ts'

/** A mail as its author provides it. */
export interface Mail {
  from: string
  /** One address, normalised. */
  to: string
  subject: string
  text: string
  html: string
  /** Identifies the mail. A mail that is sent again gets the same Message-ID. */
  name: string
}

export interface Mailer {
  /** Resolves when the next hop has accepted the mail; rejects where it has not. */
  send(mail: Mail): Promise<void>
}

/** The next hop refused the mail or did not answer. */
export class MailNotTaken extends Error {
  override name = 'MailNotTaken'
  readonly code: string

  constructor(code: string) {
    super('the next hop has not taken a mail')
    this.code = code
  }
}

export interface MailerParts {
  transport: Transport
  clock: Clock
  keysOf(domain: string): Promise<readonly DkimKey[]>
}

export function createMailer({ transport, clock, keysOf }: MailerParts): Mailer {
  return {
    async send({ name, ...mail }) {
      const [{ buildMessage }, { signMessage }] = await Promise.all([
        import('./message.ts'),
        import('./dkim.ts'),
      ])
      const now = clock.now()
      const from = parseMailbox(mail.from).address
      const domain = domainToASCII(from.slice(from.lastIndexOf('@') + 1))
      const built = await buildMessage({
        ...mail,
        messageId: `${name}@${domain}`,
        date: now,
        // Prevents holiday replies (RFC 3834 section 5).
        headers: [['Auto-Submitted', 'auto-generated']],
      })
      const keys = await keysOf(domain)
      const message = keys.length > 0 ? await signMessage(built, keys, now) : built
      const sent = await transport.use('urgent', (connection) =>
        connection.send({ from, to: mail.to }, message),
      )
      if (sent.result === 'accepted') return
      throw new MailNotTaken(sent.result === 'refused' ? `SMTP ${sent.code}` : sent.result)
    },
  }
}
