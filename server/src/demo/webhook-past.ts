/** Events of the last days, and how each webhook endpoint responded to them. */
import { randomUUID } from 'node:crypto'
import { formatId, type Id, lowestIdAt } from '../core/ids.ts'
import type { EventTypeName } from '../events/catalog.ts'
import type { NewEvent } from '../events/emit.ts'
import { writePastEvents } from '../events/fan-out.ts'
import { eventSamples } from '../events/samples.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { later, minutes } from '../lib/time/clock.ts'
import type { WebhookHealth } from './story.ts'

export interface DemoWebhook {
  id: Id<'webhook'>
  url: string
  events: readonly string[]
  health: WebhookHealth
}

interface KnownContact {
  id: Id<'contact'>
  email: string
  name: string
}

type PastEvent = Awaited<ReturnType<typeof writePastEvents>>[number]

const types: readonly EventTypeName[] = [
  'contact.created',
  'form.submitted',
  'contact.updated',
  'message.bounced',
  'campaign.deployed',
]
const eventCount = 75
const eventsEvery = minutes(95)
/** The pause before each further attempt. */
const waits = [0, 1, 5, 30, 120, 360, 720].map((after) => minutes(after))

export async function writeWebhookPast(
  tx: Tx,
  businessId: Id<'business'>,
  wanted: { webhooks: readonly DemoWebhook[]; contacts: readonly KnownContact[]; now: Date },
): Promise<void> {
  const { webhooks, contacts, now } = wanted
  const events = Array.from({ length: eventCount }, (_, index) => ({
    event: eventAt(businessId, contacts, index),
    at: later(now, (index - eventCount) * eventsEvery),
  }))
  const written = await writePastEvents(tx, businessId, events)
  for (const webhook of webhooks) {
    const its = written.filter(({ type }) => webhook.events.includes(type))
    await writeAttempts(tx, businessId, { webhook, events: its, now })
  }
}

/** An event like the samples of the reference, about a contact of the demo. */
function eventAt(
  businessId: Id<'business'>,
  contacts: readonly KnownContact[],
  index: number,
): NewEvent {
  const type = types[index % types.length] ?? 'contact.created'
  const contact = contacts[index % contacts.length]
  const about = contact && { contact_id: formatId('contact', contact.id) }
  const sample: Record<string, unknown> = { ...eventSamples[type] }
  for (const [key, value] of Object.entries({ ...contact, ...about, to: contact?.email })) {
    if (key in sample) sample[key] = value
  }
  if (type === 'form.submitted') {
    sample['fields'] = { email: contact?.email ?? '', name: contact?.name ?? '' }
  }
  return { businessId, type, data: sample } as unknown as NewEvent
}

async function writeAttempts(
  tx: Tx,
  businessId: Id<'business'>,
  request: { webhook: DemoWebhook; events: readonly PastEvent[]; now: Date },
): Promise<void> {
  const { webhook, events, now } = request
  const { id: webhookId, url, health } = webhook
  const key = { businessId, webhookId }
  const attempts = events.flatMap((event, index) =>
    health === 'failing' ? failuresOf(event, now) : answersOf(event, index),
  )
  await insertAttempts(tx, key, { url, attempts })
  if (health !== 'failing') return
  const dead = attempts.filter(({ attempt, nextAt }) => attempt === waits.length && !nextAt)
  await insertDeadLetters(tx, key, dead)
  const [first] = attempts
  if (first) await setFailing(tx, key, first.at)
}

/** A healthy receiver: occasionally its first response is an error, and the second succeeds. */
function answersOf(event: PastEvent, index: number): PastAttempt[] {
  const fine = attemptOf(event, 1, later(event.at, 900))
  if (index % 9 !== 4) return [fine]
  const again = later(event.at, minutes(1))
  return [
    { ...fine, ...failed(503, 'Service Unavailable'), nextAt: again },
    attemptOf(event, 2, again),
  ]
}

/** A receiver that has been broken for days: after the last attempt the event is a dead letter. */
function failuresOf(event: PastEvent, now: Date): PastAttempt[] {
  const found: PastAttempt[] = []
  let at = later(event.at, 900)
  for (const [index, wait] of waits.entries()) {
    at = later(at, wait)
    if (at > now) break
    const next = waits[index + 1]
    const nextAt = next === undefined ? null : later(at, next)
    const answer = failed(500, '{"error":"database is locked"}')
    found.push({ ...attemptOf(event, index + 1, at), ...answer, nextAt })
  }
  return found
}

const failed = (status: number, body: string) => ({
  outcome: 'failed' as const,
  status,
  failure: 'status',
  response: Buffer.from(body).toString('base64'),
})

function attemptOf({ id: eventId, type, at: eventAt }: PastEvent, attempt: number, at: Date) {
  return {
    // In the order of time, in which the log is listed.
    id: lowestIdAt('delivery', at).slice(0, 19) + randomUUID().slice(19),
    eventId,
    type,
    eventAt,
    attempt,
    at,
    outcome: 'delivered' as 'delivered' | 'failed',
    status: 200 as number | null,
    failure: null as string | null,
    response: Buffer.from('{"ok":true}').toString('base64'),
    nextAt: null as Date | null,
  }
}

interface PastAttempt {
  id: string
  eventId: Id<'event'>
  type: string
  eventAt: Date
  attempt: number
  at: Date
  outcome: 'delivered' | 'failed'
  status: number | null
  failure: string | null
  /** Base64 of the response's first bytes. */
  response: string
  nextAt: Date | null
}

interface WebhookKey {
  businessId: Id<'business'>
  webhookId: Id<'webhook'>
}

function insertAttempts(
  tx: Tx,
  { businessId, webhookId }: WebhookKey,
  { url, attempts }: { url: string; attempts: readonly PastAttempt[] },
): Promise<number> {
  return tx.run(sql`
    insert into webhook_attempts (business_id, id, webhook_id, event_id, event_type, event_at,
      attempt, created_at, begun_at, ended_at, outcome, url, status, failure, response,
      next_attempt_at)
    select ${businessId}, id, ${webhookId}, "eventId", type, "eventAt", attempt, at, at,
      at + interval '81 milliseconds', outcome, ${url}, status, failure,
      decode(response, 'base64'), "nextAt"
    from json_to_recordset(${JSON.stringify(attempts)}::json) as row (
      id uuid, "eventId" uuid, type text, "eventAt" timestamptz, attempt smallint,
      at timestamptz, outcome text, status smallint, failure text, response text,
      "nextAt" timestamptz
    )
  `)
}

function insertDeadLetters(
  tx: Tx,
  { businessId, webhookId }: WebhookKey,
  letters: readonly PastAttempt[],
): Promise<number> {
  return tx.run(sql`
    insert into dead_letters (business_id, webhook_id, id, event_id, event_type, event_at,
      attempts, status, failure, failed_at)
    select ${businessId}, ${webhookId}, id, "eventId", type, "eventAt", attempt, status, failure, at
    from json_to_recordset(${JSON.stringify(letters)}::json) as row (
      id uuid, "eventId" uuid, type text, "eventAt" timestamptz, attempt smallint,
      at timestamptz, status smallint, failure text
    )
  `)
}

function setFailing(tx: Tx, { businessId, webhookId }: WebhookKey, since: Date) {
  return tx.run(sql`
    update webhooks set failing_since = ${since}
    where business_id = ${businessId} and id = ${webhookId}
  `)
}
