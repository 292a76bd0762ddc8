/**
 * The simulator: a mail server and a phone network within this process, which take what is sent to
 * their own addresses and numbers and report what those promise. What they take is kept in the
 * built-in inbox. Reports come by a job, after the message counts as accepted, and are recorded like
 * those of a provider.
 */

import { formatId, type Id, newId } from '../core/ids.ts'
import { linksIn } from '../core/inbox/mail-links.ts'
import { insertInboxMessage, type NewInboxMessage } from '../core/inbox/mail-queries.ts'
import { inboxMessageOf } from '../core/inbox/mail-transport.ts'
import { createPhonesTransport } from '../core/inbox/phones.ts'
import {
  behaviourOf,
  isSimulated,
  type SimulatedBehaviour,
} from '../core/inbox/simulated-address.ts'
import type { Envelope, SendResult, Transport } from '../lib/email/transport.ts'
import { enqueue, type JobKinds, type TellWorker } from '../lib/jobs/job.ts'
import type {
  InboundText,
  SmsConnection,
  SmsSent,
  SmsTransport,
  Text,
} from '../lib/sms/transport.ts'
import { type Clock, later } from '../lib/time/clock.ts'
import { createConnectionPriority } from '../lib/transport/connection-priority.ts'
import { type FeedbackDeps, ingestReports } from './ingest-reports.ts'
import type { Report } from './report.ts'

const connections = 4
const reportJob = 'simulator.report'
/** How soon it looks again for a message whose acceptance is not recorded yet. */
const againMs = 200

type Reported = 'delivered' | 'complained' | 'opened' | 'clicked'
type Simulated = Reported | 'replied'

interface ReportPayload {
  message_id: Id<'message'>
  events: Simulated[]
  /** The first link of the mail. */
  url?: string
}

/** What is reported about mail that was accepted, in order. */
const reports: Readonly<Partial<Record<SimulatedBehaviour, Simulated[]>>> = {
  delivered: ['delivered'],
  complained: ['delivered', 'complained'],
  opened: ['delivered', 'opened'],
  clicked: ['delivered', 'opened', 'clicked'],
  replied: ['delivered', 'replied'],
}

export interface SimulatorDeps extends FeedbackDeps {
  clock: Clock
  wake: TellWorker
  /** Takes the answer of a simulated phone. */
  answer(
    message: { businessId: Id<'business'>; messageId: Id<'message'> },
    text: InboundText,
  ): Promise<unknown>
}

export interface Simulator {
  transport: Transport
  texts: SmsTransport
  kinds: JobKinds
}

export function createSimulator(deps: SimulatorDeps): Simulator {
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
    texts: textsOver(deps, createPhonesTransport(deps)),
    kinds: {
      [reportJob]: {
        async run({ payload }) {
          const { message_id: id, events, url } = payload as ReportPayload
          const now = deps.clock.now()
          if (await isUnderWay(deps, id)) return { outcome: 'again', at: later(now, againMs) }
          for (const [n, event] of events.entries()) {
            if (event === 'replied') {
              await reply(deps, id, later(now, n))
              continue
            }
            const report = reportOf(event, { messageId: id, at: later(now, n), url })
            await ingestReports(deps, [report], now)
          }
          return { outcome: 'done' }
        },
      },
    },
  }
}

/** The phones of the built-in inbox, of which simulated numbers behave as their digits say. */
function textsOver({ db, clock, wake }: SimulatorDeps, phones: SmsTransport): SmsTransport {
  const send = async (connection: SmsConnection, text: Text): Promise<SmsSent> => {
    const { to, messageId } = text
    if (!isSimulated(to)) return connection.send(text)
    const behaviour = behaviourOf(to)
    if (behaviour === 'deferred') {
      const words = 'Absent subscriber (simulator)'
      return { result: 'refused', final: false, kind: 'soft', code: '6', words }
    }
    const events = behaviour && reports[behaviour]
    if (!events) {
      const words = 'Unknown subscriber (simulator)'
      return { result: 'refused', final: true, kind: 'hard', code: '1', words }
    }
    const sent = await connection.send(text)
    if (messageId != null) {
      const payload: ReportPayload = { message_id: messageId as Id<'message'>, events }
      const job = { kind: reportJob, businessId: null, lane: payload.message_id, payload }
      await db.tx((tx) => enqueue(tx, [job], clock.now(), wake))
    }
    return sent
  }
  return {
    ...phones,
    use: (turn, work) =>
      phones.use(turn, (connection) => work({ send: (text) => send(connection, text) })),
  }
}

/** What the person writes back: by text to the sender, by mail to where answers go. */
async function reply(deps: SimulatorDeps, id: Id<'message'>, at: Date): Promise<void> {
  const [message] = await deps.messages.find(deps.db, [id])
  if (message?.channel !== 'sms') return
  const { businessId, to, senderDomain } = message
  const text = { from: to, to: senderDomain ?? '', body: simulatedAnswer, at }
  await deps.answer({ businessId, messageId: id }, { ...text, providerId: formatId('message', id) })
}

/** No keyword of any language, so that it changes no consent. */
const simulatedAnswer = 'When do you open tomorrow?'

/** The answer of a simulated person, as their mail program sends it. */
async function answerTo(mail: NewInboxMessage, source: Buffer): Promise<NewInboxMessage> {
  const { default: PostalMime } = await import('postal-mime')
  const { replyTo } = await PostalMime.parse(source)
  const to = replyTo?.[0]?.address ?? mail.from
  const subject = `Re: ${mail.subject}`
  const lines = [`From: ${mail.to}`, `To: ${to}`, `Subject: ${subject}`, '', simulatedAnswer, '']
  return {
    ...mail,
    id: newId('mail'),
    to,
    from: mail.to,
    subject,
    text: simulatedAnswer,
    html: null,
    source: Buffer.from(lines.join('\r\n')),
  }
}

/** Answers as the mail server of the address would. Any other address takes its mail. */
async function take(
  { db, clock, wake }: SimulatorDeps,
  envelope: Envelope,
  source: Buffer,
): Promise<SendResult> {
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
  const [url] = linksIn(mail)
  const answer = behaviour === 'replied' ? await answerTo(mail, source) : undefined
  await db.tx(async (tx) => {
    await insertInboxMessage(tx, mail)
    if (answer) await insertInboxMessage(tx, answer)
    if (messageId === undefined) return
    const payload: ReportPayload = {
      message_id: messageId,
      events,
      ...(url !== undefined && { url }),
    }
    await enqueue(tx, [{ kind: reportJob, businessId: null, lane: messageId, payload }], now, wake)
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
