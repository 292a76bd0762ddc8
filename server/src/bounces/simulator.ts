/**
 * The simulator: a mail server within this process, which takes mail to its own addresses and
 * reports what their names promise. What it takes is kept in the built-in inbox. Reports come by a
 * job, after the mail counts as accepted, and are recorded like those of a provider.
 */

import type { Id } from '../core/ids.ts'
import { linksIn } from '../core/inbox/mail-links.ts'
import { insertInboxMessage } from '../core/inbox/mail-queries.ts'
import { inboxMessageOf } from '../core/inbox/mail-transport.ts'
import {
  behaviourOf,
  isSimulated,
  type SimulatedBehaviour,
} from '../core/inbox/simulated-address.ts'
import type { Envelope, Sent, Transport } from '../lib/email/transport.ts'
import { enqueue, type TellWorker } from '../lib/jobs/enqueue.ts'
import type { JobKinds } from '../lib/jobs/job.ts'
import { type Clock, later } from '../lib/time/clock.ts'
import { createConnectionPriority } from '../lib/transport/connection-priority.ts'
import { type FeedbackDeps, ingestReports } from './ingest-reports.ts'
import type { Report } from './report.ts'

const connections = 4
const reportJob = 'simulator.report'
/** How soon it looks again for a message whose acceptance is not recorded yet. */
const againMs = 200

type Reported = 'delivered' | 'complained' | 'opened' | 'clicked'

interface ReportPayload {
  message_id: Id<'message'>
  events: Reported[]
  /** The first link of the mail. */
  url?: string
}

/** What is reported about mail that was accepted, in order. */
const reports: Readonly<Partial<Record<SimulatedBehaviour, Reported[]>>> = {
  delivered: ['delivered'],
  complained: ['delivered', 'complained'],
  opened: ['delivered', 'opened'],
  clicked: ['delivered', 'opened', 'clicked'],
}

export interface SimulatorDeps extends FeedbackDeps {
  clock: Clock
  wake: TellWorker
}

export function createSimulator(deps: SimulatorDeps): { transport: Transport; kinds: JobKinds } {
  const turns = createConnectionPriority(connections)
  const connection = { send: (...mail: [Envelope, Buffer]) => take(deps, ...mail) }
  return {
    transport: {
      route: 'simulator',
      connections,
      rate: undefined,
      warmUp: false,
      use: (turn, work) => turns.take(turn, () => work(connection)),
      async close() {},
    },
    kinds: {
      [reportJob]: {
        async run({ payload }) {
          const { message_id: id, events, url } = payload as ReportPayload
          const now = deps.clock.now()
          if (await isUnderWay(deps, id)) return { outcome: 'again', at: later(now, againMs) }
          for (const [n, event] of events.entries()) {
            const report = reportOf(event, { messageId: id, at: later(now, n), url })
            await ingestReports(deps, [report], now)
          }
          return { outcome: 'done' }
        },
      },
    },
  }
}

/** Answers as the mail server of the address would. Any other address takes its mail. */
async function take(
  { db, clock, wake }: SimulatorDeps,
  envelope: Envelope,
  source: Buffer,
): Promise<Sent> {
  const { to, messageId } = envelope
  const behaviour = isSimulated(to) ? behaviourOf(to) : 'delivered'
  if (behaviour === 'deferred') {
    const words = `451 4.2.1 <${to}>: mailbox temporarily unavailable (simulator)`
    return { result: 'refused', code: 451, words, before: 'recipient' }
  }
  const events = behaviour && reports[behaviour]
  if (!events) {
    const words = `550 5.1.1 <${to}>: no such user in the simulator`
    return { result: 'refused', code: 550, words, before: 'recipient' }
  }
  const now = clock.now()
  const mail = await inboxMessageOf(envelope, source, now)
  const [url] = linksIn(mail.text)
  await db.tx(async (tx) => {
    await insertInboxMessage(tx, mail)
    if (messageId === undefined) return
    const payload: ReportPayload = {
      message_id: messageId,
      events,
      ...(url !== undefined && { url }),
    }
    await enqueue(tx, [{ kind: reportJob, lane: messageId, payload }], now, wake)
  })
  return { result: 'accepted', words: '250 2.0.0 Taken by the simulator' }
}

/** Whether the acceptance is not recorded yet, which a report must not overtake. */
async function isUnderWay({ db, messages }: SimulatorDeps, id: Id<'message'>): Promise<boolean> {
  const [message] = await messages.find(db, [id])
  return message?.state === 'attempting'
}

interface SimulatedEvent {
  messageId: Id<'message'>
  at: Date
  url: string | undefined
}

function reportOf(event: Reported, { messageId, at, url }: SimulatedEvent): Report {
  const common = { messageId, at, source: 'simulator', identity: event, words: '' }
  if (event === 'clicked') return { ...common, event, machine: false, url }
  if (event === 'opened') return { ...common, event, machine: false }
  return { ...common, event }
}
