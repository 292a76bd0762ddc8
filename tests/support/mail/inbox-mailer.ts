import { createInboxTransport } from 'crier-server/core/inbox/mail-transport.ts'
import type { Db } from 'crier-server/lib/db/types.ts'
import { createMailer, type Mailer } from 'crier-server/lib/email/mailer.ts'
import { type Clock, systemClock } from 'crier-server/lib/time/clock.ts'

/** Sends mail of the service itself to the built-in inbox. */
export function inboxMailer({ db, clock = systemClock }: { db: Db; clock?: Clock }): Mailer {
  return createMailer({
    transport: createInboxTransport({ db, clock }),
    clock,
    keysOf: async () => [],
  })
}
