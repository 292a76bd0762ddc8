/** A business that asks people by mail to confirm: its pages, its jobs and its mails. */
import { createSenderProfileReader } from 'crier-server/accounts/businesses/sender-profile.ts'
import {
  type ConfirmationPayload,
  confirmationMailJob,
  confirmationWaitJob,
} from 'crier-server/contacts/consent/confirmation.ts'
import { contactGet } from 'crier-server/contacts/get.ts'
import type { Id } from 'crier-server/core/ids.ts'
import { createEngine } from 'crier-server/core/writes/unit-of-work.ts'
import { formGuard } from 'crier-server/forms/guard/guard.ts'
import { registerHostedForms } from 'crier-server/http/pages/forms/routes.ts'
import { registerConfirmations } from 'crier-server/http/pages/public/confirmation.ts'
import { registerPreferences } from 'crier-server/http/pages/public/preferences.ts'
import { createServer } from 'crier-server/http/server.ts'
import { sql } from 'crier-server/lib/db/db.ts'
import type { Database } from 'crier-server/lib/db/types.ts'
import type { Mail } from 'crier-server/lib/email/mailer.ts'
import { enqueue, type Job, type JobKinds, type Verdict } from 'crier-server/lib/jobs/job.ts'
import { confirmationJobs } from 'crier-server/subscriptions/send-confirmation.ts'
import { type Caller, callerIn, testVault } from '../clients/calls.ts'
import { PageVisitor } from '../clients/page-visitor.ts'
import { FakeMessages } from '../mail/fake-messages.ts'
import { silentLog } from '../silent-log.ts'
import type { ManualClock } from '../time/manual-clock.ts'
import { newBusiness } from './business.ts'

const sender = { from: 'A <a@shop.test>', domain: 'shop.test', keys: [], marketing: true } as const

/** The base address in the mails and pages of these scenes. */
export const sceneUrl = 'http://crier.test'

export async function confirmationScene({ db, clock }: { db: Database; clock: ManualClock }) {
  const businessId = await newBusiness(db)
  const senderProfileOf = createSenderProfileReader(db, clock)
  const server = createServer({ log: silentLog, bodyLimit: 9_999, trustProxy: false, https: false })
  registerConfirmations(server, { db, clock, vault: testVault, senderProfileOf, log: silentLog })
  registerPreferences(server, {
    db,
    clock,
    vault: testVault,
    senderProfileOf,
    messages: new FakeMessages(),
    log: silentLog,
  })
  const engine = createEngine({ db, clock })
  registerHostedForms(server, {
    db,
    clock,
    log: silentLog,
    vault: testVault,
    addresses: { appUrl: sceneUrl },
    senderProfileOf,
    writingFor: (id, callId) =>
      engine.writingFor({
        businessId: id,
        operation: 'form.submit',
        input: {},
        origin: { connectionId: null, callId },
      }),
  })
  const serviceMails: Mail[] = []
  const kinds = confirmationJobs({
    db,
    clock,
    vault: testVault,
    baseUrl: sceneUrl,
    senders: { senderOf: async () => sender },
    senderProfileOf,
    mailer: {
      async send(mail) {
        serviceMails.push(mail)
      },
    },
    mailFrom: 'Crier <crier@service.test>',
    guard: formGuard(testVault),
    wake: () => undefined,
  })
  const run = async (kind: string): Promise<(Verdict | undefined)[]> => {
    const rows = await db.all<{ payload: ConfirmationPayload }>(sql`
      select payload from jobs where kind = ${kind} and payload ->> 'business_id' = ${businessId}
      order by due_at, id
    `)
    const verdicts: (Verdict | undefined)[] = []
    for (const { payload } of rows) {
      verdicts.push((await kinds[kind]?.run({ payload } as Job, signal)) as Verdict | undefined)
    }
    return verdicts
  }
  /** Runs the due jobs of a kind, each once, in their order. */
  const drain = async (kind: string, from: JobKinds = kinds): Promise<void> => {
    const rows = await db.all<{ payload: unknown; id: string }>(sql`
      delete from jobs where kind = ${kind} and due_at <= ${clock.now()}
        and payload ->> 'business_id' = ${businessId}
      returning id, payload
    `)
    for (const { payload } of rows.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
      const verdict = (await from[kind]?.run({ payload } as Job, signal)) as Verdict | undefined
      if (verdict?.outcome !== 'again') continue
      const again = [{ kind, businessId, payload, dueAt: verdict.at }]
      await db.tx((tx) => enqueue(tx, again, clock.now()))
    }
  }
  const visitor = new PageVisitor(server, 'crier.test')
  return {
    businessId,
    caller: callerIn({ db, clock }, businessId),
    /** The same with an API key, whose calls bring people back by their later words. */
    key: callerIn({ db, clock }, businessId, { isApiKey: true }),
    visitor,
    drain,
    /** Run the waiting jobs of one kind, and return their verdicts. */
    mail: () => run(confirmationMailJob),
    wait: () => run(confirmationWaitJob),
    mails: () => mailsOf(db, businessId),
    /** The mails that the service sent in its own name. */
    serviceMails,
    press: (path: string, method: 'GET' | 'POST') =>
      visitor.send({
        method,
        url: path,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: '',
      }),
  }
}

const { signal } = new AbortController()

export interface ConfirmationMail {
  kind: string
  recipient: string
  subject: string
  html: string
  text: string
}

function mailsOf(db: Database, businessId: Id<'business'>): Promise<ConfirmationMail[]> {
  return db.all<ConfirmationMail>(sql`
    select m.kind, m.recipient, c.subject, c.html, c.body_text as text
    from messages m join message_contents c on c.business_id = m.business_id and c.message_id = m.id
    where m.business_id = ${businessId} order by m.id
  `)
}

/** The path of the link in the mail. */
export function confirmPathIn({ text }: Pick<ConfirmationMail, 'text'>): string {
  return /http:\/\/crier\.test(\/confirm\/\S+)/.exec(text)?.[1] ?? ''
}

export interface ContactShown {
  topics: { email: Record<string, string> }
  consent: { email: { status: string; history: Record<string, unknown>[] } }
}

export function shownContact(caller: Caller, contact_id: string): Promise<ContactShown> {
  return caller.get<ContactShown>(contactGet, { contact_id })
}

export async function emailStatusOf(caller: Caller, contact_id: string): Promise<string> {
  return (await shownContact(caller, contact_id)).consent.email.status
}
