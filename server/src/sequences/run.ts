/**
 * Does the steps that are due. Each turn claims people whose time has come, and takes each as far
 * as they can go now. Their mails, their next step and the settling of the job commit together, so
 * that a crash mails nobody twice and loses nobody.
 */
import { timeZoneOf } from '../accounts/businesses/time-zone.ts'
import type { Channel, Person as ContactChange } from '../contacts/contact.ts'
import type { Filter } from '../contacts/filters/filter.ts'
import { saveContacts } from '../contacts/save.ts'
import { fitsOf } from '../contacts/segments/fits.ts'
import { markAddresses } from '../contacts/suppressions/hash-addresses.ts'
import { isRefusal } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Hmac } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Database, Tx } from '../lib/db/types.ts'
import { settle } from '../lib/jobs/claim.ts'
import {
  type Job,
  type JobKinds,
  type Outcome,
  type TellWorker,
  tellOfJobs,
  type Verdict,
} from '../lib/jobs/job.ts'
import { segmentsOf } from '../lib/sms/segments.ts'
import { type Clock, minutes, seconds } from '../lib/time/clock.ts'
import type { TextSenders } from '../messages/dependencies.ts'
import type { Senders } from '../sender-domains/senders/senders.ts'
import { versionConditions, versionContent } from '../templates/owned.ts'
import type { TemplateSource } from '../templates/source.ts'
import type { Condition } from '../templates/variables.ts'
import { isMarkedOverBound, isOverBound } from './bounds.ts'
import { judgeOutcomes } from './effect.ts'
import { sequenceJob, wakeAt } from './enter.ts'
import {
  type At,
  claimDue,
  finish,
  leave,
  originOf,
  type Person,
  pass,
  perTurn,
  type Round,
  type RunningSequence,
  type StepRow,
  savePeople,
} from './inside.ts'
import { tellOfEnd } from './leave.ts'
import { notify } from './notify.ts'
import {
  afterDuration,
  channelsOf,
  type Instruction,
  instructionsOf,
  isNotify,
  isSend,
  isSet,
  isSplit,
  isStop,
  isTag,
  isUnsubscribe,
  isWait,
  isWaitFor,
  marketingSteps,
  waitUntil,
  zoneFor,
} from './program.ts'
import { sendAll } from './send.ts'
import { findVersions, type SequenceKey, type StartedVersion } from './sequence.ts'
import { countsSince, resolveSince } from './since.ts'
import type { SetStep, Step, TagStep, UnsubscribeStep } from './steps.ts'

export interface SequenceJobDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  wake: TellWorker
  senders: Senders
  textSenders: TextSenders
}

interface Payload {
  business_id: Id<'business'>
  sequence_id: Id<'sequence'>
  /** The time for which the job was queued; absent in those of older releases. */
  wake_at?: string
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
  { db, clock, hmac, wake, senders, textSenders }: SequenceJobDeps,
  job: Job<Payload>,
): Promise<Verdict> {
  const key = { businessId: job.payload.business_id, sequenceId: job.payload.sequence_id }
  // Suppressions know addresses by their hash alone.
  await markAddresses(db, hmac, key.businessId)
  // Read anew: one from the cache would pause what was just approved, or let a change pass.
  const sender = await senders.senderOf(key.businessId, undefined, { isFresh: true })
  const textSender = await textSenders.textSenderOf(key.businessId)
  const from = {
    email: isRefusal(sender) ? undefined : sender.from,
    sms: isRefusal(textSender) ? undefined : (textSender.from ?? ''),
  }
  try {
    return await db.tx(async (tx) => {
      tellOfJobs(tx, wake)
      const now = clock.now()
      const outcome = await turn(tx, key, { hmac, now, from, wokenFor: job.payload.wake_at })
      const settled = await settle(tx, [{ job, outcome }], now)
      if (!settled.has(job)) throw new LostJob()
      return 'at' in outcome ? { outcome: 'settled', at: outcome.at } : { outcome: 'settled' }
    })
  } catch (error) {
    if (!(error instanceof LostJob)) throw error
    return { outcome: 'settled' }
  }
}

/** What the business's messages come from now; undefined where it may not send. */
type From = Readonly<Record<Channel, string | undefined>>

interface Woken extends At {
  wokenFor: string | undefined
  from: From
}

async function turn(tx: Tx, key: SequenceKey, { wokenFor, from, ...at }: Woken): Promise<Outcome> {
  const { now } = at
  const sequence = await lockRunning(tx, key)
  // A deleted one has nobody to mail or to judge, and is never woken again.
  if (!sequence) return { outcome: 'done' }
  const { isRunning, hasMore } = await doSteps(tx, key, { sequence, from, ...at })
  const hasMoreToJudge = await judgeOutcomes(tx, key, at)
  if (hasMore || hasMoreToJudge) return { outcome: 'again', at: now }
  await queueNext(tx, key, { now, wokenFor, isRunning })
  return { outcome: 'done' }
}

interface Stepping extends At {
  sequence: RunningSequence
  from: From
}

interface Progress {
  isRunning: boolean
  /** Whether more people may be due than one turn takes. */
  hasMore: boolean
}

/** The steps of those who are due, unless the sequence has to pause first. */
async function doSteps(
  tx: Tx,
  key: SequenceKey,
  { sequence, from, ...at }: Stepping,
): Promise<Progress> {
  const { now } = at
  const paused = { isRunning: false, hasMore: false }
  if (sequence.status !== 'running') return paused
  const isFromAnother =
    isAnother(from.email, sequence.sender) || isAnother(from.sms, sequence.textSender)
  if (isFromAnother || (await isOverBound(tx, key, sequence, now))) {
    await pauseForApproval(tx, key, { reason: isFromAnother ? 'sender' : 'approval', now })
    return paused
  }
  const people = await claimDue(tx, key, now)
  // Read after the people: whoever let them in wrote it in the same transaction.
  if (await isMarkedOverBound(tx, key)) {
    await pauseForApproval(tx, key, { reason: 'approval', now })
    return paused
  }
  if (people.length > 0 && (await goOn(tx, { key, sequence, people, ...at }))) {
    await pauseForApproval(tx, key, { reason: 'approval', now })
    return paused
  }
  return { isRunning: true, hasMore: people.length === perTurn }
}

const isAnother = (from: string | undefined, approved: string | null) =>
  from !== undefined && approved !== null && from !== approved

function lockRunning(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
): Promise<RunningSequence | undefined> {
  return tx.maybe(sql`
    select s.name, s.status, s.is_approved as "isApproved", s.people_per_day as "peoplePerDay",
      b.tier, v.sender, v.text_sender as "textSender"
    from sequences s join businesses b on b.id = s.business_id
    left join sequence_versions v on v.business_id = s.business_id and v.sequence_id = s.id
      and v.version = s.running_version
    where s.business_id = ${businessId} and s.id = ${sequenceId} and s.deleted_at is null
    for update of s
  `)
}

async function pauseForApproval(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  { reason, now }: { reason: 'approval' | 'sender'; now: Date },
): Promise<void> {
  await tx.run(sql`
    update sequences set status = 'paused', pause_reason = ${reason}, updated_at = ${now}
    where business_id = ${businessId} and id = ${sequenceId}
  `)
}

interface Next {
  now: Date
  wokenFor: string | undefined
  isRunning: boolean
}

/**
 * Queues the job for the next person who is due. The last statement of a turn, which locks this. A
 * job that a clock set back runs early is itself the one that waits, so none is left.
 */
async function queueNext(
  tx: Tx,
  key: SequenceKey,
  { now, wokenFor, isRunning }: Next,
): Promise<void> {
  const { businessId, sequenceId } = key
  await tx.run(sql`
    update sequence_wakes set wake_at =
      case when wake_at > ${now} and wake_at is distinct from ${wokenFor ?? null}::timestamptz
        then wake_at end
    where business_id = ${businessId} and sequence_id = ${sequenceId}
  `)
  const { dueAt } = await tx.one<{ dueAt: Date | null }>(sql`
    select least(
      (
        select min(due_at) from sequence_entries
        where business_id = ${businessId} and sequence_id = ${sequenceId} and state = 'active'
          and ${isRunning}
      ), (
        select min(judge_at) from sequence_outcomes
        where business_id = ${businessId} and sequence_id = ${sequenceId} and judge_at is not null
      )
    ) as "dueAt"
  `)
  if (dueAt) await wakeAt(tx, key, { at: dueAt > now ? dueAt : now, now })
}

interface Going extends At {
  key: SequenceKey
  sequence: RunningSequence
  people: Person[]
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
    const { segments, withItems } = await contentsIn(tx, key.businessId, version)
    const round: Round = {
      tx,
      key,
      sequence,
      version,
      zone,
      done,
      conditions,
      segments,
      withItems,
      hmac,
      now,
    }
    // Steps lead forward only, so this ends.
    let open = inside
    while (open.length > 0) {
      const before = open
      for (const [step, group] of Map.groupBy(before, (person) => person.step)) {
        const instruction = instructions.get(step)
        if (!instruction) for (const person of group) finish(person)
        else if (await doStep(round, instruction, group)) isHeld = true
      }
      const sending = marketingSteps(version.definition)
      for (const person of before) {
        person.sendsNext = person.state === 'active' && sending.has(person.step)
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

/** What the version's text messages cost, where mails cost one each, and which mails show items. */
async function contentsIn(
  tx: Tx,
  businessId: Id<'business'>,
  { definition, templates }: StartedVersion,
): Promise<Pick<Round, 'segments' | 'withItems'>> {
  const segments = new Map<string, number>()
  const withItems = new Set<string>()
  const mayHaveItems = definition.enter.on === 'own_event'
  for (const { step } of instructionsOf(definition.steps)) {
    if (!isSend(step) || !(step.channel === 'sms' || mayHaveItems)) continue
    const versionId = templates[step.send.template_id]
    const content = versionId && (await versionContent(tx, businessId, versionId))
    if (!content) continue
    if (step.channel === 'sms') segments.set(versionId, segmentsOfTemplate(content.source))
    if (content.compiled.variables.includes('event.items')) withItems.add(versionId)
  }
  return { segments, withItems }
}

/** The segments of its longest language, where each value has the length of a name. */
function segmentsOfTemplate({ translations = {}, ...source }: TemplateSource): number {
  const texts = [source, ...Object.values(translations)].map(({ text = '' }) => text)
  const counts = texts.map((text) => {
    const filled = text.replace(/\{\{[^{}]*\}\}/g, 'a'.repeat(nameLength))
    return segmentsOf(filled.replace(/\{%[^{}]*%\}/g, '')).segments
  })
  return Math.max(...counts)
}

const nameLength = 12

/** One step of all who are before it. Returns whether a limit held them back. */
async function doStep(round: Round, instruction: Instruction, group: Person[]): Promise<boolean> {
  const { exit, goal, kind } = round.version.definition
  const { step } = instruction
  const own = filtersOf(step)
  const channels = [...channelsOf(round.version.definition.steps)]
  const fits = await judge(round, group, [exit, goal, ...own])
  const staying: Person[] = []
  for (const person of group) {
    const [isOut, hasReached] = fits(person)
    if (!person.exists) leave(person, 'erased')
    else if (isOut) leave(person, 'exit')
    else if (hasReached) leave(person, 'goal')
    else if (kind === 'marketing' && channels.every((channel) => hasLeft(person, channel))) {
      leave(person, 'unsubscribed')
    } else staying.push(person)
  }
  if (isSend(step)) return sendAll(round, instruction, { step, staying, fits })
  if (isTag(step) || isSet(step) || isUnsubscribe(step)) {
    await change(round, instruction, { step, staying })
  } else if (isNotify(step)) await notify(round, instruction, { step, staying })
  else
    for (const person of staying)
      moveOn(round, instruction, { person, fits: fits(person).slice(2) })
  return false
}

const hasLeft = ({ reach }: Person, channel: Channel) => reach[channel].consent === 'unsubscribed'

const filtersOf = (step: Step): (Filter | undefined)[] => {
  if (isSend(step)) return [step.if]
  if (isSplit(step)) return step.split.map((branch) => branch.if)
  return isStop(step) ? [step.stop_if] : []
}

/** A wait, a split or a condition, which changes nothing but where the person is. */
function moveOn(
  { version, zone, done, now }: Round,
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
  person.meantAt = null
  if (isWait(step)) {
    person.dueAt = waitUntil(step, person.from, clock)
    if (person.dueAt <= now) person.from = person.dueAt
  } else if (isWaitFor(step)) {
    person.waitsFor = step.wait_for
    person.dueAt = afterDuration(person.from, step.wait_for.up_to, clock)
  } else if (isSplit(step)) {
    const branchIndex = step.split.findIndex(
      (branch, index) => branch.if === undefined || fits[index],
    )
    person.step = branches[branchIndex] ?? next
    reason = branchIndex < 0 ? null : `branch ${branchIndex + 1}`
  }
  person.steppedAt = now
  done.push({ entryId: person.id, step: n, outcome: 'done', reason, messageId: null })
}

/** For each person which filters they fit, in order; an absent one is fitted by nobody. */
async function judge(
  { tx, key, hmac, now }: Round,
  people: readonly Person[],
  filters: readonly (Filter | undefined)[],
): Promise<(person: Person) => boolean[]> {
  const presentFilters = filters.filter((filter) => filter !== undefined)
  const bits = new Map<Id<'entry'>, number>()
  const ask = async (group: readonly Person[], groupFilters: readonly Filter[]) => {
    const contactIds = group.map(({ contactId }) => contactId)
    const fits = await fitsOf(tx, {
      businessId: key.businessId,
      filters: groupFilters,
      contactIds,
      hmac,
      now,
    })
    for (const { id, contactId } of group) bits.set(id, fits.get(contactId) ?? 0)
  }
  if (!presentFilters.some(countsSince)) await ask(people, presentFilters)
  else {
    for (const person of people) {
      const entry = person.enteredAt.toISOString()
      const moment = { entry, step: person.steppedAt.toISOString(), event: person.event }
      await ask(
        [person],
        presentFilters.map((filter) => resolveSince(filter, moment)),
      )
    }
  }
  return ({ id }) => {
    let n = 0
    return filters.map((filter) => filter !== undefined && ((bits.get(id) ?? 0) & (1 << n++)) !== 0)
  }
}

interface Changing {
  step: TagStep | SetStep | UnsubscribeStep
  staying: Person[]
}

/** Tags people, sets fields or ends consents, by the path that every change of a contact takes. */
async function change(
  { tx, key, sequence, version, hmac, done, now }: Round,
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
  const changes = staying.flatMap((person) => {
    const address = addresses.get(person.contactId)
    if (!address) return []
    const { email, phone } = address
    return [
      {
        person,
        businessId: key.businessId,
        tier: sequence.tier,
        hmac,
        source: 'api' as const,
        origin: originOf(version),
        ...(email === null ? phone !== null && { phone } : { email }),
        ...changesOf(step, { name: sequence.name, phone }),
      },
    ]
  })
  const items = changes.map(({ person: _person, ...item }) => item)
  const outcomes = items.length > 0 ? await saveContacts.save(tx, items, now) : []
  const refusals = new Map(
    changes.flatMap(({ person }, n) => {
      const outcome = outcomes[n]
      return outcome && isRefusal(outcome) ? [[person.id, outcome] as const] : []
    }),
  )
  for (const person of staying) {
    const refusal = refusals.get(person.id)
    const reason = refusal ? refusal.code : null
    const outcome = refusal ? 'skipped' : 'done'
    // What follows in this turn sees that the person has left.
    if (isUnsubscribe(step) && step.unsubscribe.topic === undefined && !refusal) {
      person.reach[step.unsubscribe.channel ?? 'email'].consent = 'unsubscribed'
    }
    done.push({ entryId: person.id, step: n, outcome, reason, messageId: null })
    pass(person, next, now)
  }
}

interface Changed {
  /** The sequence's, as the source of a consent's end. */
  name: string
  phone: string | null
}

function changesOf(step: Changing['step'], { name, phone }: Changed) {
  if (isUnsubscribe(step)) {
    const { channel = 'email', topic } = step.unsubscribe
    const end = {
      status: 'unsubscribed' as const,
      source: `automation: ${name}`,
      ...(topic !== undefined && { topics: [topic] }),
    }
    return { consent: { [channel]: end }, ...(channel === 'sms' && phone !== null && { phone }) }
  }
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
