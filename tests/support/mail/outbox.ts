import type { Mail, Mailer } from 'crier-server/lib/email/mailer.ts'

/** Stores mail instead of sending it. */
export class Outbox implements Mailer {
  readonly sent: Mail[] = []

  async send(mail: Mail): Promise<void> {
    this.sent.push(mail)
  }
}
