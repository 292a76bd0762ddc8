import { type Clock, systemClock } from 'crier-server/platform/clock.ts'
import type { Db } from 'crier-server/platform/db.ts'
import { createInboxWire } from 'crier-server/platform/mail/inbox-wire.ts'
import { createMailer, type Mailer } from 'crier-server/platform/mail/mailer.ts'

/** Mail of the service itself, into the built-in inbox. */
export function inboxMailer({ db, clock = systemClock }: { db: Db; clock?: Clock }): Mailer {
  return createMailer({ wire: createInboxWire({ db, clock }), clock, keysOf: async () => [] })
}
