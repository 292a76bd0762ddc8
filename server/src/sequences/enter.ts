/**
 * Lets people in by the events of the feed, in the transaction that gives the events their
 * positions: each event lets a person in exactly once. The same events wake who waits for them, and
 * who unsubscribes leaves.
 */

import { createHash } from 'node:crypto'
import { channels } from '../contacts/contact.ts'
import { type Filter, linkOf } from '../contacts/filters/filter.ts'
import { readDuration, shifted } from '../contacts/filters/times.ts'
import { fitsWhere } from '../contacts/own-events/property-rules.ts'
import { fitsOf } from '../contacts/segments/fits.ts'
import { recordActivity } from '../contacts/timeline/activity.ts'
import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import type { EventTypeName } from '../events/catalog.ts'
import { emitAll } from '../events/emit.ts'
import type { PlacedEvent } from '../events/fan-out.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { enqueue, type TellWorker } from '../lib/jobs/job.ts'
import { days, later } from '../lib/time/clock.ts'
import { countEntries } from '../usage/entries.ts'
import { type FeedEvent, noteChanges, noteDates } from './changes.ts'
import type { Enter } from './definition.ts'
import { noteAssigned } from './effect.ts'
import { endEntries } from './leave.ts'
import { sequenceLimits } from './limits.ts'
import { marketingSteps } from './program.ts'
import type { SequenceKey, StartedVersion } from './sequence.ts'
import type { WaitForStep } from './steps.ts'

/** A sequence that people may enter. */
export interface OpenSequence extends SequenceKey, Pick<StartedVersion, 'version' | 'definition'> {
  name: string
  endsAt: Date | null
  /** Set where a person approved it: who enters by a connected app is counted. */
  isApproved: boolean
}

/** Somebody who may enter, and what brought them. */
export interface Candidate {
  contactId: Id<'contact'>
  /** One cause lets a person in once. */
  cause: string
  properties: Readonly<Record<string, unknown>>
  /** When it was reported, from which `since: entry` counts; now without it. */
  at?: Date
  /** Set where a connected app caused it, and no call has counted it. */
  byConnection?: boolean
}

/** What names an event and its place. */
type EventKey = Pick<PlacedEvent, 'businessId' | 'eventId' | 'createdAt'>

export function followSequences({ hmac, tell }: { hmac: Hmac; tell?: TellWorker }) {
  return async (tx: Tx, placed: readonly PlacedEvent[], now: Date): Promise<void> => {
    const ours = placed.filter(({ type }) => followed.has(type))
    if (ours.length === 0) return
    const businessIds = [...new Set(ours.map(({ businessId }) => businessId))]
    const sequences = Map.groupBy(await openSequences(tx, businessIds), (open) => open.businessId)
    if (sequences.size === 0) return
    const events = await readEvents(
      tx,
      ours.filter(({ businessId }) => sequences.has(businessId)),
    )
    for (const [businessId, open] of sequences) {
      const happened = events.get(businessId) ?? []
      await leaveUnsubscribed(tx, { businessId, happened, now })
      await wakeWaiting(tx, { businessId, happened, now, tell })
      for (const sequence of open) {
        const { enter } = sequence.definition
        if (enter.on === 'segment.entered') await noteChanges(tx, sequence, happened)
        if (enter.on === 'date') await noteDates(tx, sequence, { enter, happened })
        const candidates = happened.flatMap((event) => candidateOf(enter, event) ?? [])
        await letIn(tx, sequence, { candidates, hmac, now, tell })
      }
    }
  }
}

interface Doubting {
  hmac: Hmac
  now: Date
}

/** After a restore: those in whom events without a position would let are noted as left. */
export async function doubtEntering(
  tx: Tx,
  events: readonly EventKey[],
  { hmac, now }: Doubting,
): Promise<void> {
  const businessIds = [...new Set(events.map(({ businessId }) => businessId))]
  const open = await openSequences(tx, businessIds)
  const bodies = open.length > 0 ? await readEvents(tx, events) : undefined
  for (const sequence of open) {
    const { enter } = sequence.definition
    const happened = bodies?.get(sequence.businessId) ?? []
    const candidates = happened.flatMap((event) => candidateOf(enter, event) ?? [])
    await letIn(tx, sequence, { candidates, hmac, now, isInDoubt: true })
  }
}

/** The events of the feed that let somebody in, wake somebody, or end something. */
const followed: ReadonlySet<EventTypeName> = new Set([
  'contact.created',
  'contact.updated',
  'contact.unsubscribed',
  'contact.event',
  'form.submitted',
  'message.opened',
  'message.clicked',
  'message.bounced',
  'message.replied',
])

/** The events by which people enter in this way. */
export const eventTypesOf: Readonly<Record<Enter['on'], readonly EventTypeName[]>> = {
  'consent.given': ['contact.created', 'contact.updated'],
  'tag.added': ['contact.created', 'contact.updated'],
  'form.submitted': ['form.submitted'],
  own_event: ['contact.event'],
  'message.clicked': ['message.clicked'],
  // For these no event stands: `look.ts` asks for them.
  'segment.entered': [],
  date: [],
}

/** Whom the event lets in by this rule, apart from its filter. */
export function candidateOf(
  enter: Enter,
  { id, type, created_at, data, by }: FeedEvent,
): Candidate | undefined {
  const contactId = parseId('contact', textOf(data['contact_id']))
  if (!contactId || !eventTypesOf[enter.on].includes(type)) return undefined
  if (data['source'] === 'import' && !enter.imports) return undefined
  const candidate = (properties: unknown) => ({
    contactId,
    cause: id,
    at: new Date(created_at),
    properties: (properties ?? {}) as Candidate['properties'],
    byConnection: by === 'connection' || (by === 'tagging' && enter.on !== 'tag.added'),
  })
  const listed = (key: string) => (data[key] ?? []) as readonly string[]
  switch (enter.on) {
    case 'consent.given': {
      const field = enter.topic === undefined ? 'consent.email' : `topics.email.${enter.topic}`
      return listed('consent_given').includes(field) ? candidate({}) : undefined
    }
    case 'tag.added':
      return listed('tags_added').includes(enter.tag ?? '') ? candidate({}) : undefined
    case 'form.submitted': {
      const { form_id: formId } = enter
      if (formId !== undefined && data['form_id'] !== formId) return undefined
      return candidate(data['fields'])
    }
    case 'own_event': {
      const properties = propertiesOf(data)
      if (data['event'] !== enter.event || !fitsWhere(enter.where, properties)) return undefined
      return candidate(properties)
    }
    case 'message.clicked': {
      const link = enter.link === undefined ? undefined : linkOf(enter.link)
      if (data['machine'] === true || (link !== undefined && data['url'] !== link)) return undefined
      return candidate({ url: data['url'] })
    }
    default:
      return undefined
  }
}

/** The properties of an own event, with its value and currency. */
function propertiesOf(data: FeedEvent['data']): Candidate['properties'] {
  const { value, currency, properties } = data
  return { ...(value != null && { value, currency }), ...(properties as object) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

interface LettingIn {
  candidates: readonly Candidate[]
  hmac: Hmac
  now: Date
  tell?: TellWorker | undefined
  /** After a restore: they may have entered after the backup, so they are noted as left, and get nothing. */
  isInDoubt?: boolean | undefined
}

/** Lets those in whom the rule allows, and returns how many entered. */
export async function letIn(
  tx: Tx,
  sequence: OpenSequence,
  { candidates, hmac, now, tell, isInDoubt = false }: LettingIn,
): Promise<number> {
  const { businessId, sequenceId, version, definition, endsAt } = sequence
  const { enter, holdout = 0 } = definition
  if (candidates.length === 0 || (endsAt && endsAt <= now)) return 0
  const fitting = await fittingOf(tx, enter.filter, { businessId, candidates, hmac, now })
  // Each date lets its person in once, as each year does.
  const again = enter.again ?? (enter.on === 'date' ? 'each time' : 'never')
  // No event that is in doubt may let its person in later.
  const isEach = again === 'each time' || (isInDoubt && again === 'latest')
  const chosen = isEach ? fitting : oncePerPerson(fitting, again)
  if (chosen.length === 0) return 0
  if (again === 'latest' && !isInDoubt) await renewData(tx, sequence, chosen)
  await lockWake(tx, sequence)
  const rows = chosen.map(({ contactId, cause, properties, at = now, byConnection = false }) => ({
    id: newId('entry'),
    byConnection,
    contactId,
    cause,
    event: JSON.stringify(properties),
    enteredAt: at < now ? at : now,
    isHoldout: isHeldOut(sequenceId, contactId, holdout),
  }))
  const entered = await insertEntries(tx, sequence, { rows, again, isInDoubt, now })
  if (entered.length === 0 || isInDoubt) return entered.length
  const isHoldout = new Map(rows.map((row) => [row.id, row.isHoldout]))
  const enteredAts = new Map(rows.map((row) => [row.id, row.enteredAt]))
  const ids = new Set(entered.map(({ id }) => id))
  const assigned = rows.filter(({ id }) => ids.has(id))
  await noteAssigned(tx, sequence, definition, assigned)
  await emitAll(
    tx,
    entered.map(({ id, contactId }) => ({
      businessId,
      type: 'sequence.entered',
      data: {
        sequence_id: formatId('sequence', sequenceId),
        name: sequence.name,
        version,
        contact_id: formatId('contact', contactId),
        entered_at: (enteredAts.get(id) ?? now).toISOString(),
        holdout: isHoldout.get(id) ?? false,
      },
    })),
    now,
  )
  const details = { sequence_id: formatId('sequence', sequenceId), version }
  await recordActivity(
    tx,
    entered.map(({ contactId }) => ({ businessId, contactId, type: 'sequence.entered', details })),
    now,
  )
  const people = assigned.filter((row) => row.byConnection && !row.isHoldout).length
  if (sequence.isApproved && people > 0) await countByConnections(tx, sequence, { people, now })
  await wakeAt(tx, sequence, { at: now, now, tell })
  return entered.length
}

/**
 * Whom connected apps let into an automation that a person approved: more than a few in a day count as
 * people who are reached without an approval. Beyond the limit of the business the automation pauses
 * at its next turn, before anybody goes on in it; what happened is never refused.
 */
async function countByConnections(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  { people, now }: { people: number; now: Date },
): Promise<void> {
  const { n } = await tx.one<{ n: number }>(sql`
    select count(*) as n from sequence_entries
    where business_id = ${businessId} and sequence_id = ${sequenceId} and by_connection
      and state <> 'holdout' and entered_at > ${later(now, -days(1))}
  `)
  const beyond = Math.min(people, n - sequenceLimits.byConnections)
  if (beyond <= 0 || (await countEntries(tx, { businessId, people: beyond, now }))) return
  await tx.run(sql`
    update sequence_wakes set is_over_bound = true
    where business_id = ${businessId} and sequence_id = ${sequenceId}
  `)
}

interface Fitting extends Omit<LettingIn, 'tell'> {
  businessId: Id<'business'>
}

async function fittingOf(
  db: Db,
  filter: Filter | undefined,
  { candidates, ...at }: Fitting,
): Promise<readonly Candidate[]> {
  if (!filter) return candidates
  const contactIds = candidates.map(({ contactId }) => contactId)
  const fits = await fitsOf(db, { ...at, filters: [filter], contactIds })
  return candidates.filter(({ contactId }) => fits.get(contactId) === 1)
}

/** The first event of a person counts, or the last where its data replaces that of an entry. */
function oncePerPerson(
  candidates: readonly Candidate[],
  again: string | undefined,
): readonly Candidate[] {
  const inOrder = again === 'latest' ? candidates : candidates.toReversed()
  return [...new Map(inOrder.map((candidate) => [candidate.contactId, candidate])).values()]
}

/** The same people in each version, and each time. */
export function isHeldOut(
  sequenceId: Id<'sequence'>,
  contactId: Id<'contact'>,
  percent: number,
): boolean {
  if (percent === 0) return false
  const hash = createHash('sha256').update(`${sequenceId} ${contactId}`).digest()
  return hash.readUInt32BE() < (percent / 100) * 2 ** 32
}

/** Who is inside goes on with the data of the newer event. */
async function renewData(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  candidates: readonly Candidate[],
): Promise<void> {
  await tx.run(sql`
    update sequence_entries e set event = new.event::json
    from unnest(
      ${candidates.map(({ contactId }) => contactId)}::uuid[],
      ${candidates.map(({ properties }) => JSON.stringify(properties))}::text[]
    ) as new (contact_id, event)
    where e.business_id = ${businessId} and e.sequence_id = ${sequenceId}
      and e.contact_id = new.contact_id and e.state = 'active'
  `)
}

/** One transaction at a time lets people in, so that nobody enters twice by two causes. */
async function lockWake(tx: Tx, { businessId, sequenceId }: SequenceKey): Promise<void> {
  await tx.run(sql`
    select from sequence_wakes
    where business_id = ${businessId} and sequence_id = ${sequenceId} for update
  `)
}

interface NewEntries {
  rows: readonly {
    id: Id<'entry'>
    contactId: Id<'contact'>
    cause: string
    event: string
    enteredAt: Date
    isHoldout: boolean
    byConnection: boolean
  }[]
  again: string
  isInDoubt: boolean
  now: Date
}

function insertEntries(
  tx: Tx,
  { businessId, sequenceId, version, definition }: OpenSequence,
  { rows, again, isInDoubt, now }: NewEntries,
): Promise<{ id: Id<'entry'>; contactId: Id<'contact'> }[]> {
  const distance = again.startsWith('after ') ? again.slice(6) : undefined
  // Since when another entry keeps the person out, whether it has ended or not.
  const since =
    again === 'never'
      ? new Date(0)
      : distance && readDuration(distance)
        ? shifted(now, distance, -1)
        : now
  const mayBeInsideTwice = again === 'each time'
  const sendsFirst = !isInDoubt && marketingSteps(definition).has(1)
  // Their earlier entries are read once: asked for each of many rows, the rows of the insert itself
  // would be passed again and again.
  return tx.all(sql`
    with earlier as materialized (
      select contact_id, max(entered_at) as last, bool_or(state in ('active', 'holdout')) as is_inside,
        count(*) filter (where entered_at > ${later(now, -days(1))}) as of_day
      from sequence_entries
      where business_id = ${businessId} and sequence_id = ${sequenceId}
        and contact_id = any(${rows.map((row) => row.contactId)}::uuid[])
      group by contact_id
    )
    insert into sequence_entries (business_id, sequence_id, id, contact_id, version, cause, state,
      reason, step, due_at, sends_next, event, entered_at, stepped_at, ended_at, by_connection)
    select ${businessId}, ${sequenceId}, new.id, new.contact_id, ${version}, new.cause,
      case when ${isInDoubt} then 'left' when new.is_holdout then 'holdout' else 'active' end,
      case when ${isInDoubt} then 'in_doubt' end, 1,
      case when new.is_holdout or ${isInDoubt} then null else ${now}::timestamptz end,
      not new.is_holdout and ${sendsFirst}, new.event::json,
      new.entered_at, new.entered_at, case when ${isInDoubt} then ${now}::timestamptz end,
      new.by_connection
    from unnest(
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.contactId)}::uuid[],
      ${rows.map((row) => row.cause)}::text[],
      ${rows.map((row) => row.event)}::text[],
      ${rows.map((row) => row.isHoldout)}::boolean[],
      ${rows.map((row) => row.enteredAt)}::timestamptz[],
      ${rows.map((row) => row.byConnection)}::boolean[]
    ) as new (id, contact_id, cause, event, is_holdout, entered_at, by_connection)
    join contacts c on c.business_id = ${businessId} and c.id = new.contact_id
    left join earlier on earlier.contact_id = new.contact_id
    where earlier.contact_id is null or (
      earlier.last <= ${since} and (${mayBeInsideTwice} or not earlier.is_inside)
      and earlier.of_day < ${sequenceLimits.entriesPerDay}
    )
    on conflict do nothing
    returning id, contact_id as "contactId"
  `)
}

interface Wake {
  at: Date
  now: Date
  tell?: TellWorker | undefined
}

export const sequenceJob = 'sequence.run'

/** Queues the sequence's job for this time, unless one that is due no later waits already. */
export async function wakeAt(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  { at, now, tell }: Wake,
): Promise<void> {
  const woken = await tx.run(sql`
    update sequence_wakes set wake_at = ${at}
    where business_id = ${businessId} and sequence_id = ${sequenceId}
      and (wake_at is null or wake_at > ${at})
  `)
  if (woken === 0) return
  const payload = { business_id: businessId, sequence_id: sequenceId, wake_at: at.toISOString() }
  const job = { kind: sequenceJob, businessId, lane: sequenceId, payload, dueAt: at }
  await enqueue(tx, [job], now, tell)
}

interface Happened {
  businessId: Id<'business'>
  happened: readonly FeedEvent[]
  now: Date
  tell?: TellWorker | undefined
}

/**
 * Who leaves a channel leaves the marketing sequences that send on no other at once; who leaves a
 * topic skips its messages.
 */
async function leaveUnsubscribed(tx: Tx, { businessId, happened, now }: Happened): Promise<void> {
  for (const only of channels) {
    const contactIds = happened.flatMap(({ type, data }) => {
      const isWhole = type === 'contact.unsubscribed' && data['channel'] === only
      if (!isWhole || data['topic'] !== null) return []
      return parseId('contact', textOf(data['contact_id'])) ?? []
    })
    if (contactIds.length > 0)
      await endEntries(tx, { businessId, contactIds, only, reason: 'unsubscribed', now })
  }
}

type WaitsFor = WaitForStep['wait_for']

interface WaitingEntry {
  sequenceId: Id<'sequence'>
  id: Id<'entry'>
  contactId: Id<'contact'>
  waitsFor: WaitsFor
  event: Record<string, unknown>
}

/** Who waits for an event that happened goes on at once. */
async function wakeWaiting(tx: Tx, { businessId, happened, now, tell }: Happened): Promise<void> {
  const byPerson = Map.groupBy(
    happened.filter(({ type }) => type === 'contact.event' || type.startsWith('message.')),
    ({ data }) => parseId('contact', textOf(data['contact_id'])),
  )
  const contactIds = [...byPerson.keys()].filter((id) => id !== undefined)
  if (contactIds.length === 0) return
  const waiting = await tx.all<WaitingEntry>(sql`
    select sequence_id as "sequenceId", id, contact_id as "contactId", waits_for as "waitsFor", event
    from sequence_entries
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
      and waits_for is not null
    order by id for update
  `)
  const woken = waiting.filter((entry) =>
    byPerson.get(entry.contactId)?.some((event) => endsWait(entry, event)),
  )
  if (woken.length === 0) return
  await tx.run(sql`
    update sequence_entries set waits_for = null, due_at = ${now}
    where business_id = ${businessId} and id = any(${woken.map(({ id }) => id)}::uuid[])
      and sequence_id = any(${woken.map(({ sequenceId }) => sequenceId)}::uuid[])
  `)
  for (const sequenceId of [...new Set(woken.map((entry) => entry.sequenceId))].sort()) {
    await wakeAt(tx, { businessId, sequenceId }, { at: now, now, tell })
  }
}

function endsWait(entry: WaitingEntry, { type, data }: FeedEvent): boolean {
  const { event, opened, clicked, of_step: ofStep, where } = entry.waitsFor
  if (event !== undefined) {
    if (type !== 'contact.event' || data['event'] !== event) return false
    return fitsWhere(where, propertiesOf(data), entry.event)
  }
  // A click shows that the mail was opened.
  const isKind =
    type === 'message.clicked' ? clicked || opened : type === 'message.opened' && opened
  if (!isKind || data['machine'] === true) return false
  const isOurs = data['sequence_id'] === formatId('sequence', entry.sequenceId)
  return isOurs && (ofStep === undefined || data['step'] === ofStep)
}

/** The running versions of sequences that people may enter, in the order of their ids. */
function openSequences(db: Db, businessIds: readonly Id<'business'>[]): Promise<OpenSequence[]> {
  return db.all(sql`
    select s.business_id as "businessId", s.id as "sequenceId", s.name, v.version, v.definition,
      s.ends_at as "endsAt", s.is_approved as "isApproved"
    from sequences s
    join sequence_versions v on v.business_id = s.business_id and v.sequence_id = s.id
      and v.version = s.running_version
    where s.business_id = any(${businessIds}::uuid[]) and s.status in ('running', 'paused')
    order by s.business_id, s.id
  `)
}

/** The bodies of events in their order. */
async function readEvents(
  db: Db,
  placed: readonly EventKey[],
): Promise<Map<Id<'business'>, FeedEvent[]>> {
  const rows = await db.all<{
    businessId: Id<'business'>
    body: string
    callId: Id<'request'> | null
    by: FeedEvent['by']
  }>(sql`
    select e.business_id as "businessId", e.body, e.call_id as "callId",
      case when e.connection_id is null or not exists (
        select from connections c where c.id = e.connection_id and c.client_id is not null
      ) then null when exists (
        select from taggings t where t.business_id = e.business_id and t.call_id = e.call_id
      ) then 'tagging' else 'connection' end as by
    from unnest(
      ${placed.map(({ businessId }) => businessId)}::uuid[],
      ${placed.map(({ eventId }) => eventId)}::uuid[],
      ${placed.map(({ createdAt }) => createdAt)}::timestamptz[]
    ) with ordinality as new (business_id, id, created_at, place)
    join events e on e.business_id = new.business_id and e.created_at = new.created_at
      and e.id = new.id
    where e.erased_at is null
    order by new.place
  `)
  const read = rows.map(({ businessId, callId, body, by = null }) => {
    return { businessId, callId, event: { ...(JSON.parse(body) as FeedEvent), by } }
  })
  const others = await besideTaggings(db, read)
  const events = new Map<Id<'business'>, FeedEvent[]>()
  for (const { businessId, event } of read) {
    const ofBusiness = events.get(businessId) ?? []
    ofBusiness.push(others.has(event) ? { ...event, by: 'connection' } : event)
    events.set(businessId, ofBusiness)
  }
  return events
}

interface ReadEvent {
  businessId: Id<'business'>
  callId: Id<'request'> | null
  event: FeedEvent
}

/**
 * The events of a call that began a tagging, as one of several in a batch, and whose tags are no change
 * of that tagging or of its undo.
 */
async function besideTaggings(db: Db, read: readonly ReadEvent[]): Promise<Set<FeedEvent>> {
  const added = read.flatMap(({ businessId, callId, event }, index) => {
    const contactId = parseId('contact', textOf(event.data['contact_id']))
    const tags = (event.data['tags_added'] ?? []) as readonly string[]
    if (event.by !== 'tagging' || !contactId) return []
    return tags.map((tag) => ({ index, businessId, callId, contactId, tag }))
  })
  if (added.length === 0) return new Set()
  const rows = await db.all<{ index: number }>(sql`
    select distinct new.position as index
    from unnest(
      ${added.map(({ businessId }) => businessId)}::uuid[],
      ${added.map(({ index }) => index)}::int[],
      ${added.map(({ callId }) => callId)}::uuid[],
      ${added.map(({ contactId }) => contactId)}::uuid[],
      ${added.map(({ tag }) => tag)}::text[]
    ) as new (business_id, position, call_id, contact_id, tag)
    where not exists (
      select from taggings t
      where t.business_id = new.business_id and t.call_id = new.call_id and (
        t.undo_asked_at is not null and new.tag = any (t.remove_tags)
        or exists (
          select from tagging_changes c
          where c.business_id = t.business_id and c.tagging_id = t.id
            and c.contact_id = new.contact_id and new.tag = any (c.added)
        )
      )
    )
  `)
  return new Set(rows.flatMap(({ index }) => read[index]?.event ?? []))
}
