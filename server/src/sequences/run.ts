/**
 * Does the steps that are due. Each turn claims people whose time has come, and takes each as far
 * as they can go now. Their mails, their next step and the settling of the job commit together, so
 * that a crash mails nobody twice and loses nobody.
 */
import { timeZoneOf } from '../accounts/businesses/time-zone.ts'
import type { Person as ContactChange } from '../contacts/contact.ts'
import type { Filter } from '../contacts/filters/filter.ts'
import { saveContacts } from '../contacts/save.ts'
import { fitsOf } from '../contacts/segments/fits.ts'
import { markAddresses } from '../contacts/suppressions/hash-addresses.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import type { Hmac, Origin, Tier } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import { type TellWorker, tellOfJobs } from '../lib/jobs/enqueue.ts'
import type { Job, JobKinds, Outcome, Verdict } from '../lib/jobs/job.ts'
import { settle } from '../lib/jobs/settle.ts'
import { type Clock, days, hours, later, minutes, seconds } from '../lib/time/clock.ts'
import { saveMessages } from '../messages/intake/save.ts'
import type { MessageToSave } from '../messages/intake/to-save.ts'
import { versionConditions } from '../templates/owned.ts'
import type { Condition } from '../templates/variables.ts'
import {
  countsSince,
  resolveSince,
  type SendStep,
  type SetStep,
  type Step,
  type TagStep,
} from './definition.ts'
import { sequenceJob, tellOfEnd, wakeAt } from './enter.ts'
import {
  afterDuration,
  type Instruction,
  instructionsOf,
  isSend,
  isSet,
  isSplit,
  isStop,
  isTag,
  isWait,
  isWaitFor,
  waitUntil,
  withinHours,
  zoneFor,
} from './program.ts'
import { findVersions, type SequenceKey, type StartedVersion } from './sequence.ts'

export interface SequenceJobDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  wake: TellWorker
}

interface Payload {
  business_id: Id<'business'>
  sequence_id: Id<'sequence'>
}

/** A sequence's job is never given up: a failed turn is retried until it succeeds. */
const retryDelays = [
  seconds(1),
  seconds(5),
  seconds(30),
  ...Array.from({ length: 10_000 }, () => minutes(2)),
]

export function sequenceJobs(deps: SequenceJobDeps): JobKinds {
  return {
    [sequenceJob]: {
      perLane: 1,
      // Turns are short and only use the database: two at once leave room for the jobs that send.
      atOnce: 2,
      retryDelays,
      run: (job) => sequenceTurn(deps, job as Job<Payload>),
    },
  }
}

/** Another worker has the job, so the transaction of this turn is rolled back. */
class LostJob extends Error {
  override name = 'LostJob'
}

async function sequenceTurn(
  { db, clock, hmac, wake }: SequenceJobDeps,
  job: Job<Payload>,
): Promise<Verdict> {
  const key = { businessId: job.payload.business_id, sequenceId: job.payload.sequence_id }
  // Suppressions know addresses by their hash alone.
  await markAddresses(db, hmac, key.businessId)
  try {
    return await db.tx(async (tx) => {
      tellOfJobs(tx, wake)
      const now = clock.now()
      const outcome = await turn(tx, key, { hmac, now })
      const settled = await settle(tx, [{ job, outcome }], now)
      if (!settled.has(job)) throw new LostJob()
      return 'at' in outcome ? { outcome: 'settled', at: outcome.at } : { outcome: 'settled' }
    })
  } catch (error) {
    if (!(error instanceof LostJob)) throw error
    return { outcome: 'settled' }
  }
}

interface At {
  hmac: Hmac
  now: Date
}

/** The most people in one turn. */
const perTurn = 200

async function turn(tx: Tx, key: SequenceKey, at: At): Promise<Outcome> {
  const { now } = at
  const sequence = await lockRunning(tx, key)
  if (sequence?.status !== 'running') {
    await queueNext(tx, key, { now, isRunning: false })
    return { outcome: 'done' }
  }
  if (await isOverBound(tx, key, sequence, now)) {
    await pauseForApproval(tx, key, now)
    await queueNext(tx, key, { now, isRunning: false })
    return { outcome: 'done' }
  }
  const people = await claimDue(tx, key, now)
  if (people.length > 0) {
    const isHeld = await goOn(tx, { key, sequence, people, ...at })
    if (isHeld) await pauseForApproval(tx, key, now)
  }
  if (people.length === perTurn) return { outcome: 'again', at: now }
  await queueNext(tx, key, { now, isRunning: true })
  return { outcome: 'done' }
}

interface RunningSequence {
  name: string
  status: string
  isApproved: boolean
  peoplePerDay: number | null
  tier: Tier
}

function lockRunning(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
): Promise<RunningSequence | undefined> {
  return tx.maybe(sql`
    select s.name, s.status, s.is_approved as "isApproved", s.people_per_day as "peoplePerDay",
      b.tier
    from sequences s join businesses b on b.id = s.business_id
    where s.business_id = ${businessId} and s.id = ${sequenceId} and s.deleted_at is null
    for update of s
  `)
}

/** Whether more people entered within a day than were approved. */
async function isOverBound(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  { peoplePerDay }: RunningSequence,
  now: Date,
): Promise<boolean> {
  if (peoplePerDay === null) return false
  const { n } = await tx.one<{ n: number }>(sql`
    select count(*) as n from sequence_entries
    where business_id = ${businessId} and sequence_id = ${sequenceId}
      and entered_at > ${later(now, -days(1))}
  `)
  return n > peoplePerDay
}

async function pauseForApproval(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  now: Date,
): Promise<void> {
  await tx.run(sql`
    update sequences set status = 'paused', pause_reason = 'approval', updated_at = ${now}
    where business_id = ${businessId} and id = ${sequenceId}
  `)
}

/** Queues the job for the next person who is due. The last statement of a turn, which locks this. */
async function queueNext(
  tx: Tx,
  key: SequenceKey,
  { now, isRunning }: { now: Date; isRunning: boolean },
): Promise<void> {
  const { businessId, sequenceId } = key
  await tx.run(sql`
    update sequence_wakes set wake_at = case when wake_at > ${now} then wake_at end
    where business_id = ${businessId} and sequence_id = ${sequenceId}
  `)
  if (!isRunning) return
  const { dueAt } = await tx.one<{ dueAt: Date | null }>(sql`
    select min(due_at) as "dueAt" from sequence_entries
    where business_id = ${businessId} and sequence_id = ${sequenceId} and state = 'active'
  `)
  if (dueAt) await wakeAt(tx, key, { at: dueAt > now ? dueAt : now, now })
}

/** Somebody who is inside, as they are claimed and as they become. */
interface Person {
  id: Id<'entry'>
  contactId: Id<'contact'>
  version: number
  step: number
  dueAt: Date | null
  event: Record<string, unknown>
  enteredAt: Date
  steppedAt: Date
  /** Whether the contact still exists. */
  exists: boolean
  hasAddress: boolean
  consent: string | null
  isSuppressed: boolean
  zone: string | null
  waitsFor: object | null
  state: 'active' | 'finished' | 'left'
  reason: string | null
  /** The time from which a wait that begins now counts. */
  from: Date
}

/** Claims who is due, with what decides whether they may be written to. */
async function claimDue(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  now: Date,
): Promise<Person[]> {
  const rows = await tx.all<Omit<Person, 'state' | 'reason' | 'from'>>(sql`
    select e.id, e.contact_id as "contactId", e.version, e.step::int as step, e.due_at as "dueAt",
      e.event, e.entered_at as "enteredAt", e.stepped_at as "steppedAt", null as "waitsFor",
      c.id is not null as exists, c.email is not null as "hasAddress",
      c.email_consent as consent, c.attributes ->> 'time_zone' as zone,
      exists (
        select from suppressions s where s.business_id = ${businessId} and s.channel = 'email'
          and s.address_hmac = c.email_mark
      ) as "isSuppressed"
    from (
      select * from sequence_entries
      where business_id = ${businessId} and sequence_id = ${sequenceId} and state = 'active'
        and due_at <= ${now}
      order by due_at limit ${perTurn}
      for update skip locked
    ) e
    left join contacts c on c.business_id = ${businessId} and c.id = e.contact_id
    order by e.due_at, e.id
  `)
  return rows.map((row) => {
    // A turn that is a little late keeps the times as they were meant.
    const isLate = row.dueAt === null || row.dueAt < later(now, -hours(1))
    return { ...row, state: 'active', reason: null, from: isLate || !row.dueAt ? now : row.dueAt }
  })
}

interface Going extends At {
  key: SequenceKey
  sequence: RunningSequence
  people: Person[]
}

interface Ran extends Omit<Going, 'people'> {
  tx: Tx
  version: StartedVersion
  /** The zone of the business. */
  zone: string
  done: StepRow[]
  conditions: ReadonlyMap<string, readonly Condition[]>
}

interface StepRow {
  entryId: Id<'entry'>
  step: number
  outcome: 'done' | 'skipped'
  reason: string | null
  messageId: Id<'message'> | null
}

/** Takes each person as far as they can go now. Returns whether a limit held somebody back. */
async function goOn(tx: Tx, going: Going): Promise<boolean> {
  const { key, sequence, people, hmac, now } = going
  const numbers = [...new Set(people.map(({ version }) => version))]
  const versions = await findVersions(tx, key, numbers)
  const zone = await timeZoneOf(tx, key.businessId)
  const done: StepRow[] = []
  let isHeld = false
  for (const version of versions) {
    const inside = people.filter((person) => person.version === version.version)
    const instructions = new Map(
      instructionsOf(version.definition.steps).map((instruction) => [instruction.n, instruction]),
    )
    const conditions = await conditionsOf(tx, key.businessId, version)
    const ran: Ran = { tx, key, sequence, version, zone, done, conditions, hmac, now }
    // Steps lead forward only, so this ends.
    let open = inside
    while (open.length > 0) {
      const before = open
      for (const [step, group] of Map.groupBy(before, (person) => person.step)) {
        const instruction = instructions.get(step)
        if (!instruction) for (const person of group) finish(person)
        else if (await doStep(ran, instruction, group)) isHeld = true
      }
      if (isHeld) break
      open = before.filter(
        ({ state, dueAt, waitsFor }) => state === 'active' && !waitsFor && (!dueAt || dueAt <= now),
      )
    }
  }
  await savePeople(tx, key, { people, done, now })
  const ended = people.filter(({ state }) => state !== 'active')
  await tellOfEnd(
    tx,
    ended.map((person) => ({
      ...person,
      ...key,
      name: sequence.name,
      reason: person.state === 'left' ? (person.reason ?? 'left') : null,
    })),
    now,
  )
  return isHeld
}

async function conditionsOf(
  tx: Tx,
  businessId: Id<'business'>,
  { templates }: StartedVersion,
): Promise<Map<string, readonly Condition[]>> {
  const ids = Object.values(templates)
  if (ids.length === 0) return new Map()
  const rows = await versionConditions(tx, businessId, ids)
  return new Map(rows.map(({ versionId, conditions }) => [versionId, conditions]))
}

function finish(person: Person): void {
  person.state = 'finished'
  person.dueAt = null
}

function leave(person: Person, reason: string): void {
  person.state = 'left'
  person.reason = reason
  person.dueAt = null
}

/** One step of all who are before it. Returns whether a limit held them back. */
async function doStep(ran: Ran, instruction: Instruction, group: Person[]): Promise<boolean> {
  const { exit, goal, kind } = ran.version.definition
  const { step } = instruction
  const own = filtersOf(step)
  const fits = await judge(ran, group, [exit, goal, ...own])
  const staying: Person[] = []
  for (const person of group) {
    const [isOut, hasReached] = fits(person)
    if (!person.exists) leave(person, 'erased')
    else if (isOut) leave(person, 'exit')
    else if (hasReached) leave(person, 'goal')
    else if (kind === 'marketing' && person.consent === 'unsubscribed') {
      leave(person, 'unsubscribed')
    } else staying.push(person)
  }
  if (isSend(step)) return sendAll(ran, instruction, { step, staying, fits })
  if (isTag(step) || isSet(step)) await change(ran, instruction, { step, staying })
  else
    for (const person of staying) moveOn(ran, instruction, { person, fits: fits(person).slice(2) })
  return false
}

const filtersOf = (step: Step): (Filter | undefined)[] => {
  if (isSend(step)) return [step.if]
  if (isSplit(step)) return step.split.map((branch) => branch.if)
  return isStop(step) ? [step.stop_if] : []
}

/** A wait, a split or a condition, which changes nothing but where the person is. */
function moveOn(
  { version, zone, done, now }: Ran,
  { n, step, next, branches }: Instruction,
  { person, fits }: { person: Person; fits: readonly boolean[] },
): void {
  const { hours: openHours } = version.definition
  const clock = zoneFor(openHours, { business: zone, recipient: person.zone })
  if (isStop(step) && fits[0]) {
    done.push({ entryId: person.id, step: n, outcome: 'done', reason: 'stop_if', messageId: null })
    leave(person, 'stop_if')
    return
  }
  let reason: string | null = null
  person.step = next
  person.dueAt = now
  if (isWait(step)) {
    person.dueAt = waitUntil(step, person.from, clock)
    if (person.dueAt <= now) person.from = person.dueAt
  } else if (isWaitFor(step)) {
    person.waitsFor = step.wait_for
    person.dueAt = afterDuration(person.from, step.wait_for.up_to, clock)
  } else if (isSplit(step)) {
    const taken = step.split.findIndex((branch, index) => branch.if === undefined || fits[index])
    person.step = branches[taken] ?? next
    reason = taken < 0 ? null : `branch ${taken + 1}`
  }
  person.steppedAt = now
  done.push({ entryId: person.id, step: n, outcome: 'done', reason, messageId: null })
}

/** For each person which filters they fit, in order; an absent one is fitted by nobody. */
async function judge(
  { tx, key, hmac, now }: Ran,
  people: readonly Person[],
  filters: readonly (Filter | undefined)[],
): Promise<(person: Person) => boolean[]> {
  const written = filters.filter((filter) => filter !== undefined)
  const bits = new Map<Id<'entry'>, number>()
  const ask = async (group: readonly Person[], wanted: readonly Filter[]) => {
    const contactIds = group.map(({ contactId }) => contactId)
    const fits = await fitsOf(tx, {
      businessId: key.businessId,
      filters: wanted,
      contactIds,
      hmac,
      now,
    })
    for (const { id, contactId } of group) bits.set(id, fits.get(contactId) ?? 0)
  }
  if (!written.some(countsSince)) await ask(people, written)
  else {
    for (const person of people) {
      const entry = person.enteredAt.toISOString()
      const times = { entry, step: person.steppedAt.toISOString() }
      await ask(
        [person],
        written.map((filter) => resolveSince(filter, times)),
      )
    }
  }
  return ({ id }) => {
    let n = 0
    return filters.map((filter) => filter !== undefined && ((bits.get(id) ?? 0) & (1 << n++)) !== 0)
  }
}

interface Sending {
  step: SendStep
  staying: Person[]
  fits: (person: Person) => boolean[]
}

async function sendAll(
  ran: Ran,
  { n, next }: Instruction,
  { step, staying, fits }: Sending,
): Promise<boolean> {
  const { tx, key, version, zone, done, now } = ran
  const { hours: openHours, kind } = version.definition
  const skip = (person: Person, reason: string) => {
    done.push({ entryId: person.id, step: n, outcome: 'skipped', reason, messageId: null })
    pass(person, next, now)
  }
  const ready: Person[] = []
  for (const person of staying) {
    const [, , isMeant] = fits(person)
    const clock = zoneFor(openHours, { business: zone, recipient: person.zone })
    const opens = withinHours(openHours, now, clock)
    if (step.if && !isMeant) skip(person, 'if')
    else if (!person.hasAddress) leave(person, 'no_email')
    else if (person.isSuppressed) leave(person, 'suppressed')
    else if (kind === 'marketing' && person.consent !== 'subscribed') leave(person, 'no_consent')
    else if (opens > now) person.dueAt = opens
    else ready.push(person)
  }
  if (ready.length === 0) return false
  const rows = ready.map((person) => ({ person, messageId: newId('message') }))
  const fresh = new Set(
    (
      await claimSteps(tx, key, {
        step: n,
        entryIds: rows.map(({ person }) => person.id),
        messageIds: rows.map(({ messageId }) => messageId),
        now,
      })
    ).map(({ id }) => id),
  )
  const toSend = rows.filter(({ person }) => fresh.has(person.id))
  const items = toSend.map(({ person, messageId }) =>
    messageOf(ran, { n, step, person, messageId }),
  )
  const outcomes = items.length > 0 ? await saveMessages.save(tx, items, now) : []
  const refused = new Map<Id<'entry'>, Refusal>()
  for (const [index, outcome] of outcomes.entries()) {
    const row = toSend[index]
    if (row && isRefusal(outcome)) refused.set(row.person.id, outcome)
  }
  const isHeld = [...refused.values()].some(isOfApproval)
  for (const { person } of rows) {
    const refusal = refused.get(person.id)
    if (refusal && isOfApproval(refusal)) await freeStep(tx, key, { entryId: person.id, step: n })
    else {
      if (refusal) {
        const reason = reasonOf(refusal)
        await skipStep(tx, key, { entryId: person.id, step: n, reason })
      }
      pass(person, next, now)
    }
  }
  return isHeld
}

function pass(person: Person, next: number, now: Date): void {
  person.step = next
  person.dueAt = now
  person.steppedAt = now
}

const isOfApproval = ({ details }: Refusal) => details.data?.['reason'] === 'approval_limit'

function reasonOf({ code, details }: Refusal): string {
  if (details.data?.['suppressed']) return 'suppressed'
  if (code === 'tier_required' || code === 'rate_limited') return 'tier_quota'
  return code === 'conflict' ? 'topic_not_chosen' : code
}

interface ToSend {
  n: number
  step: SendStep
  person: Person
  messageId: Id<'message'>
}

function messageOf(
  { key, sequence, version, conditions, hmac }: Ran,
  { n, step, person, messageId }: ToSend,
): MessageToSave {
  const { template_id: name } = step.send
  const versionId = version.templates[name]
  const templateId = parseId('template', name)
  if (!versionId || !templateId)
    throw new Error('a started version lacks the version of its template')
  const blocks = conditions.get(versionId)
  return {
    id: messageId,
    businessId: key.businessId,
    channel: 'email',
    tier: sequence.tier,
    origin: originOf(version),
    hmac,
    kind: version.definition.kind,
    topic: step.topic ?? null,
    isApproved: sequence.isApproved,
    contactId: person.contactId,
    to: undefined,
    template: {
      id: templateId,
      versionId,
      ...(blocks && { conditions: blocks }),
    },
    content: {
      subject: null,
      html: null,
      text: null,
      variables: { event: person.event },
      attachments: null,
      trackOpens: true,
      trackClicks: true,
    },
    units: 1,
    sendAt: undefined,
    allowDuplicate: true,
    labels: { sequence_id: formatId('sequence', key.sequenceId), step: n },
  }
}

interface Changing {
  step: TagStep | SetStep
  staying: Person[]
}

/** Tags people or sets their fields, by the path that every change of a contact takes. */
async function change(
  { tx, key, sequence, version, hmac, done, now }: Ran,
  { n, next }: Instruction,
  { step, staying }: Changing,
): Promise<void> {
  const addresses = new Map(
    (
      await tx.all<{ id: Id<'contact'>; email: string | null; phone: string | null }>(sql`
        select id, email, phone from contacts
        where business_id = ${key.businessId}
          and id = any(${staying.map(({ contactId }) => contactId)}::uuid[])
        order by id for update
      `)
    ).map((row) => [row.id, row]),
  )
  const items = staying.flatMap((person) => {
    const address = addresses.get(person.contactId)
    if (!address) return []
    const { email, phone } = address
    return [
      {
        businessId: key.businessId,
        tier: sequence.tier,
        hmac,
        source: 'api' as const,
        origin: originOf(version),
        ...(email === null ? phone !== null && { phone } : { email }),
        ...changesOf(step),
      },
    ]
  })
  const outcomes = items.length > 0 ? await saveContacts.save(tx, items, now) : []
  const refusal = outcomes.find(isRefusal)
  for (const person of staying) {
    const reason = refusal ? refusal.code : null
    const outcome = refusal ? 'skipped' : 'done'
    done.push({ entryId: person.id, step: n, outcome, reason, messageId: null })
    pass(person, next, now)
  }
}

function changesOf(step: TagStep | SetStep) {
  if (isTag(step)) return step.remove ? { removeTags: [step.tag] } : { tags: [step.tag] }
  const fields = Object.entries(step.set)
  const attributes = fields.flatMap(([name, value]) =>
    name.startsWith('attributes.') ? [[name.slice('attributes.'.length), value]] : [],
  )
  const texts = fields.filter(([name]) => !name.startsWith('attributes.'))
  const clear = texts.flatMap(([name, value]) =>
    value === null ? [name as NonNullable<ContactChange['clear']>[number]] : [],
  )
  return {
    ...Object.fromEntries(texts.filter(([, value]) => value !== null)),
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
    ...(clear.length > 0 && { clear }),
  }
}

const originOf = ({ connectionId, callId }: StartedVersion): Origin => ({
  connectionId,
  callId: callId ? formatId('request', callId) : '',
})

interface ClaimedSteps {
  step: number
  entryIds: readonly Id<'entry'>[]
  messageIds: readonly Id<'message'>[]
  now: Date
}

/** Only whose step was not done before gets the mail: the key of the table is what decides. */
function claimSteps(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  { step, entryIds, messageIds, now }: ClaimedSteps,
): Promise<{ id: Id<'entry'> }[]> {
  return tx.all(sql`
    insert into sequence_steps (business_id, sequence_id, entry_id, step, outcome, message_id, done_at)
    select ${businessId}, ${sequenceId}, entry_id, ${step}, 'done', message_id, ${now}
    from unnest(${entryIds}::uuid[], ${messageIds}::uuid[]) as new (entry_id, message_id)
    on conflict do nothing
    returning entry_id as id
  `)
}

interface StepKey {
  entryId: Id<'entry'>
  step: number
}

async function freeStep(tx: Tx, key: SequenceKey, { entryId, step }: StepKey): Promise<void> {
  await tx.run(sql`
    delete from sequence_steps
    where business_id = ${key.businessId} and sequence_id = ${key.sequenceId}
      and entry_id = ${entryId} and step = ${step}
  `)
}

async function skipStep(
  tx: Tx,
  key: SequenceKey,
  { entryId, step, reason }: StepKey & { reason: string },
): Promise<void> {
  await tx.run(sql`
    update sequence_steps set outcome = 'skipped', reason = ${reason}, message_id = null
    where business_id = ${key.businessId} and sequence_id = ${key.sequenceId}
      and entry_id = ${entryId} and step = ${step}
  `)
}

interface Saved {
  people: readonly Person[]
  done: readonly StepRow[]
  now: Date
}

async function savePeople(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  { people, done, now }: Saved,
): Promise<void> {
  await tx.run(sql`
    update sequence_entries e set step = new.step, due_at = new.due_at, waits_for = new.waits_for::json,
      stepped_at = new.stepped_at, state = new.state, reason = new.reason,
      ended_at = case when new.state = 'active' then null else ${now}::timestamptz end
    from unnest(
      ${people.map(({ id }) => id)}::uuid[],
      ${people.map(({ step }) => step)}::int[],
      ${people.map(({ dueAt }) => dueAt)}::timestamptz[],
      ${people.map(({ waitsFor }) => (waitsFor ? JSON.stringify(waitsFor) : null))}::text[],
      ${people.map(({ steppedAt }) => steppedAt)}::timestamptz[],
      ${people.map(({ state }) => state)}::text[],
      ${people.map(({ reason }) => reason)}::text[]
    ) as new (id, step, due_at, waits_for, stepped_at, state, reason)
    where e.business_id = ${businessId} and e.sequence_id = ${sequenceId} and e.id = new.id
  `)
  if (done.length === 0) return
  await tx.run(sql`
    insert into sequence_steps (business_id, sequence_id, entry_id, step, outcome, reason, message_id,
      done_at)
    select ${businessId}, ${sequenceId}, entry_id, step, outcome, reason, message_id, ${now}
    from unnest(
      ${done.map(({ entryId }) => entryId)}::uuid[],
      ${done.map(({ step }) => step)}::int[],
      ${done.map(({ outcome }) => outcome)}::text[],
      ${done.map(({ reason }) => reason)}::text[],
      ${done.map(({ messageId }) => messageId)}::uuid[]
    ) as new (entry_id, step, outcome, reason, message_id)
    on conflict do nothing
  `)
}
