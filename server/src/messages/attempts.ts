/**
 * Attempts: their beginning, the outcome that follows from the next hop's reply, and their end, for
 * all connections of this process together. One transaction records many messages, and each
 * connection waits for its own message. An accepted message is on disk before it is in the database.
 */

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isHeldByStop } from '../accounts/stops/stops.ts'
import { covers } from '../contacts/consent/covers.ts'
import { stopAtProvider } from '../contacts/consent/text-consent.ts'
import type { Channel } from '../contacts/contact.ts'
import { stoppedMark } from '../contacts/suppressions/stopped-numbers.ts'
import { suppress } from '../contacts/suppressions/suppression.ts'
import { deleteSent } from '../contacts/timeline/activity.ts'
import { formatId, type Id } from '../core/ids.ts'
import { isSimulated } from '../core/inbox/simulated-address.ts'
import type { Hmac } from '../core/operation.ts'
import { emitAll, type NewEvent } from '../events/emit.ts'
import { businessesAsking } from '../events/on-demand.ts'
import { createBatcher, ofBusinesses } from '../lib/concurrency/batch.ts'
import type { Journal } from '../lib/concurrency/journal.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Database, Db, Tx } from '../lib/db/types.ts'
import { commonWords } from '../lib/email/common-words.ts'
import type { BounceKind } from '../lib/email/reply-words.ts'
import type { SenderRequirement } from '../lib/email/sender-requirements.ts'
import type { HeldJob } from '../lib/jobs/claim.ts'
import { type TellWorker, tellOfJobs } from '../lib/jobs/job.ts'
import type { Clock } from '../lib/time/clock.ts'
import { type OfCampaign, type Outcomes, tellOutcomes } from './campaign-outcomes.ts'
import type { Labels } from './labels.ts'
import type { Message, MessageKind } from './message.ts'
import {
  type Announced,
  acceptedEvent,
  deferredEvent,
  eventRow,
  factsOf,
  failedEvent,
  insertEvents,
  suppressedEvent,
} from './message-events.ts'
import { queueMessages } from './queue.ts'
import { nextTry } from './retry.ts'
import { pauseStream, pauseUntilMended } from './throttle/pause-stream.ts'

interface Beginning {
  businessId: Id<'business'>
  id: Id<'message'>
  job: HeldJob
  route: string
  /** The domain that a mail is sent from, or the number of a text. */
  sender: string
  /** The provider that receives it, as `throttle/provider.ts` names it. */
  provider: string
  /** For a text: the hash under which a STOP to this sender is stored. */
  stoppedMark: Buffer | null
}

interface ToBegin extends Omit<Beginning, 'stoppedMark'> {
  channel: Channel
  to: string
}

interface Ending {
  businessId: Id<'business'>
  id: Id<'message'>
  /** The lease under which the attempt was started. */
  attemptId: string
  state: 'accepted' | 'deferred' | 'bounced' | 'failed' | 'unknown' | 'suppressed'
  at: Date
  /** The time of the next attempt. */
  dueAt: Date | null
  code: string | null
  words: string | null
  /**
   * The next hop's id for the message, and the number of segments that it reports. Null if it
   * reports none.
   */
  takenAs: string | null
  segments: number | null
  /** The hop that it went to in the end, if it is not the one that the attempt began with. */
  route: string | null
  eventId: string
}

/** The outcome of an attempt, as the connection reported it. */
export interface Outcome extends Omit<Ending, 'eventId'> {
  /** Undefined if it is unknown, as in outcomes that an older version left on disk. */
  campaignId: Id<'campaign'> | null | undefined
  /** The remote server reported that the address permanently accepts no mail. */
  suppress: boolean
  /** The person sent STOP to the provider, which blocks the number. */
  stopped: boolean
  /** The remote server refused the sender, so other messages of the stream may have to wait. */
  refusesSender: boolean
  /** What the sender lacks, for which the provider's stream waits at once. */
  missing?: readonly SenderRequirement[]
}

interface AttemptStart {
  id: Id<'message'>
  jobId: Id<'job'>
  /** `held`: its campaign is on hold, or a person stopped what sends it. Each state but `attempting` leaves the message unchanged. */
  state: 'attempting' | 'held' | 'suppressed' | 'cancelled'
  /** The reason why it must not be sent. */
  reason: string | null
}

export interface Attempts {
  /** The mark is committed when it resolves. Only then may the message go to the remote server. */
  begin(beginning: ToBegin): Promise<AttemptStart['state'] | 'lost'>
  /** The outcome is on disk, or in the database, when it resolves. `committed` resolves once it is in the database. */
  accept(outcome: Outcome): Promise<{ committed: Promise<void> }>
  /** The outcome is in the database when it resolves. */
  end(outcome: Outcome): Promise<void>
  /** Records the outcomes that dead processes left on disk. Returns their number. */
  replay(): Promise<number>
  /** Leaves uncommitted outcomes where they are: on disk, or to be repeated by the job. */
  stop(): void
}

/** The record that is on disk between the remote server's 250 and the database's commit. */
export interface Acceptance {
  business_id: string
  message_id: string
  campaign_id?: string | null
  attempt_id: string
  at: string
  code: string | null
  words: string | null
  taken_as: string | null
  segments: number | null
  /** The hop that took it, if it is not the one that the attempt began with. */
  route?: string | null
}

interface AttemptDeps extends EndDeps {
  journal: Journal<Acceptance>
}

export function createAttempts(deps: AttemptDeps): Attempts {
  const { db, clock, hmac, journal } = deps
  const beginOne = createBatcher<ToBegin, AttemptStart['state'] | 'lost'>({
    maxItems: 200,
    businessOf: ofBusinesses(db, ({ businessId }) => businessId),
    restMs: beginRestMs,
    async flush(items) {
      const beginnings = items.map((item) => ({
        ...item,
        stoppedMark: item.channel === 'sms' ? stoppedMark(hmac, item.sender, item.to) : null,
      }))
      const begun = await beginAttempts(db, beginnings, clock.now())
      const denied = begun.filter(isDenied)
      if (denied.length > 0) await deny(deps, beginnings, denied)
      const states = new Map(begun.map(({ id, jobId, state }) => [`${jobId} ${id}`, state]))
      return items.map(({ id, job }) => states.get(`${job.id} ${id}`) ?? 'lost')
    },
  })
  const endTogether = (restMs?: number) =>
    createBatcher<Outcome, void>({
      maxItems: 500,
      businessOf: ofBusinesses(deps.db, ({ businessId }) => businessId),
      ...(restMs !== undefined && { restMs }),
      async flush(outcomes) {
        await endAll(deps, outcomes)
        return outcomes.map(() => undefined)
      },
    })
  const endOne = endTogether()
  const acceptOne = endTogether(acceptanceRestMs)
  let stopped = false
  // A temporary outage of the database must not lose a remote server's reply.
  const untilDone = async (work: () => Promise<void>): Promise<void> => {
    for (;;) {
      try {
        return await work()
      } catch (error) {
        if (stopped) throw error
        await sleep(retryMs)
      }
    }
  }

  return {
    begin: beginOne,
    end: (outcome) => untilDone(() => endOne(outcome)),
    async accept(outcome) {
      const entry = await journal.write(acceptanceOf(outcome)).catch(() => undefined)
      const committed = untilDone(() => acceptOne(outcome))
      if (entry) return { committed: committed.then(entry) }
      // With a full disk here, the outcome is safe only once it is in the database.
      await committed
      return { committed }
    },
    async replay() {
      const { entries, forget } = await journal.leftovers()
      if (entries.length > 0) await endAll(deps, entries.map(acceptedOutcome))
      await forget()
      return entries.length
    },
    stop() {
      stopped = true
    },
  }
}

function acceptanceOf(outcome: Outcome): Acceptance {
  return {
    business_id: outcome.businessId,
    message_id: outcome.id,
    ...(outcome.campaignId !== undefined && { campaign_id: outcome.campaignId }),
    attempt_id: outcome.attemptId,
    at: outcome.at.toISOString(),
    code: outcome.code,
    words: outcome.words,
    taken_as: outcome.takenAs,
    segments: outcome.segments,
    ...(outcome.route !== null && { route: outcome.route }),
  }
}

function acceptedOutcome(entry: Acceptance): Outcome {
  return {
    businessId: entry.business_id as Outcome['businessId'],
    id: entry.message_id as Outcome['id'],
    campaignId: entry.campaign_id as Outcome['campaignId'],
    attemptId: entry.attempt_id,
    state: 'accepted',
    at: new Date(entry.at),
    dueAt: null,
    code: entry.code,
    words: entry.words,
    takenAs: entry.taken_as,
    segments: entry.segments,
    route: entry.route ?? null,
    suppress: false,
    stopped: false,
    refusesSender: false,
  }
}

/**
 * Marks messages as being tried, if their job is still held and nothing forbids it. The statement
 * itself reads the list of suppressions and the consent, so a person who opted out a moment ago
 * gets nothing. Another worker has a message that is missing from the result: if two jobs hold the
 * same message, only one of them gets it. It is a single statement because a connection waits for
 * it.
 */
export function beginAttempts(db: Db, all: Beginning[], now: Date): Promise<AttemptStart[]> {
  return db.all(sqlWithin`
    with asked (business_id, id, shard, job_id, lease, route, sender, provider,
      stopped_mark) as (
      select * from unnest(
        ${all.map((beginning) => beginning.businessId)}::uuid[],
        ${all.map((beginning) => beginning.id)}::uuid[],
        ${all.map((beginning) => beginning.job.shard)}::smallint[],
        ${all.map((beginning) => beginning.job.id)}::uuid[],
        ${all.map((beginning) => beginning.job.lease)}::uuid[],
        ${all.map((beginning) => beginning.route)}::text[],
        ${all.map((beginning) => beginning.sender)}::text[],
        ${all.map((beginning) => beginning.provider)}::text[],
        ${all.map((beginning) => beginning.stoppedMark)}::bytea[]
      )
    ), known as materialized (
      select asked.*, m.kind,
        coalesce((select h.state from message_holds h
          where h.business_id = m.business_id and h.campaign_id = m.campaign_id),
          case when ${isHeldByStop} then 'held' end) as hold,
        case when not m.is_reply then coalesce((select s.reason from suppressions s
          where s.business_id = m.business_id and s.channel = m.channel
            and s.address_hmac = m.recipient_mark
            -- As isMarketingOnly says.
            and (m.kind = 'marketing' or s.reason not in ('complaint', 'unsubscribed'))),
          (select 'stop' from stopped_numbers s where s.mark = asked.stopped_mark)) end as listed,
        case m.kind when 'marketing' then coalesce((
          select case when not ${isCovered} then 'topic_not_chosen'
            when m.channel = 'sms' then c.sms_consent else c.email_consent end
          from contacts c
          where c.business_id = m.business_id and c.id = m.contact_id), 'gone') end as consent
      from asked
      join messages m on m.business_id = asked.business_id and m.id = asked.id
      join jobs j on (j.business_id = asked.business_id or true) and j.shard = asked.shard
        and j.id = asked.job_id and j.lease = asked.lease
      where m.state in ('queued', 'deferred')
    ), judged as (
      select known.*, case
        when hold is not null then hold
        when listed is not null then 'suppressed'
        when consent <> 'subscribed' then 'cancelled'
        else 'attempting' end as state, case
        when hold is not null then 'campaign_cancelled'
        when listed is not null then listed
        when consent = 'gone' then 'erased'
        when consent = 'topic_not_chosen' then consent
        else 'unsubscribed' end as reason
      from known
    ), begun as (
      update messages m set
        state = 'attempting', attempt_id = judged.lease, job_shard = judged.shard,
        job_id = judged.job_id, route = judged.route, sender_domain = judged.sender,
        provider = judged.provider,
        attempts = m.attempts + 1, updated_at = ${now}
      from judged
      where judged.state = 'attempting'
        and m.business_id = judged.business_id and m.id = judged.id
        and m.state in ('queued', 'deferred')
      returning m.id, m.job_id, m.state
    )
    select id, job_id as "jobId", state, null as reason from begun
    union all
    select id, job_id, state, reason from judged where state <> 'attempting'
  `)
}

/** Whether contact `c` consents to message `m`. */
const isCovered = covers({ channel: sql`m.channel`, topic: sql`m.topic` })

const retryMs = 500

// Under load the starts of many connections are collected, which delays them. A wait of 5 ms saved
// no measurable syncs. A single message does not wait.
const beginRestMs = 2

// Accepted messages are on disk already, so their rows can wait. That saves a third of the load.
const acceptanceRestMs = 25

/** A message that must not be sent, as the statement that starts attempts found. */
interface Denied extends AttemptStart {
  state: 'suppressed' | 'cancelled'
}

function isDenied(begun: AttemptStart): begun is Denied {
  return begun.state === 'suppressed' || begun.state === 'cancelled'
}

/** Ends messages that must not be sent. Another attempt would be denied again. */
async function deny(
  { db, clock, outcomes }: AttemptDeps,
  items: Beginning[],
  all: Denied[],
): Promise<void> {
  const denied = new Map(all.map((entry) => [entry.id, entry]))
  const denials = items.flatMap(({ businessId, id }) => {
    const verdict = denied.get(id)
    return verdict ? [{ businessId, id, state: verdict.state }] : []
  })
  await db.tx(async (tx) => {
    const now = clock.now()
    const ended = await denyMessages(tx, denials, now)
    const rows = ended.map((row) => {
      const { state = 'cancelled' as const, reason = null } = denied.get(row.id) ?? {}
      return { ...row, state, ...(reason !== null && { reason }) }
    })
    const events = rows.map(({ businessId, id, state }) =>
      eventRow({ businessId, messageId: id, type: state }, now),
    )
    await insertEvents(tx, events, now)
    const cancelled = rows.filter(({ state }) => state === 'cancelled')
    for (const [businessId, its] of Map.groupBy(cancelled, (row) => row.businessId)) {
      await deleteSent(tx, businessId, its)
    }
    const suppressed = rows.filter(({ state }) => state === 'suppressed')
    await emitAll(
      tx,
      suppressed.map((row) => suppressedEvent(row, row.reason ?? 'suppressed')),
      now,
    )
    await tellOutcomes(tx, outcomes, rows, now)
  })
}

interface Denial {
  businessId: Id<'business'>
  id: Id<'message'>
  state: 'suppressed' | 'cancelled'
}

/** Ends messages that must not be sent. Returns those that were still open. */
function denyMessages(tx: Tx, all: Denial[], now: Date): Promise<Announced[]> {
  return tx.all(sql`
    update messages m set state = denied.state, updated_at = ${now}
    from unnest(
      ${all.map((denial) => denial.businessId)}::uuid[],
      ${all.map((denial) => denial.id)}::uuid[],
      ${all.map((denial) => denial.state)}::text[]
    ) as denied (business_id, id, state)
    where m.business_id = denied.business_id and m.id = denied.id
      and m.state in ('queued', 'deferred')
    returning m.business_id as "businessId", m.id, m.channel, m.campaign_id as "campaignId",
      m.contact_id as "contactId", m.recipient as "to", m.labels
  `)
}

interface EndDeps {
  db: Database
  clock: Clock
  hmac: Hmac
  wake: TellWorker | undefined
  outcomes: Outcomes
}

/**
 * The end of attempts. One transaction records the outcome and its consequences, such as another
 * try, a suppressed address, and events.
 */
async function endAll(deps: EndDeps, all: Outcome[]): Promise<unknown> {
  const { db, clock } = deps
  const sorted = all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const endings = sorted.map((entry) => ({ ...entry, eventId: randomUUID() }))
  const accepted = sorted.filter(({ state }) => state === 'accepted')
  const businessIds = new Set(accepted.map(({ businessId }) => businessId))
  const asking =
    accepted.length > 0 ? await businessesAsking(db, 'message.accepted', businessIds) : businessIds
  // Most outcomes are like this, so a separate statement handles them.
  if (sorted.every((entry) => isPlain(entry)) && asking.size === 0) {
    return endAttempts(db, endings, clock.now())
  }
  return db.tx(async (tx) => {
    const now = clock.now()
    const outcomes = new Map(sorted.map((entry) => [`${entry.attemptId} ${entry.id}`, entry]))
    const ended = await endAttempts(tx, endings, now)
    const pairs = ended.map((message) => {
      return { message, outcome: outcomes.get(`${message.attemptId} ${message.id}`) as Outcome }
    })
    const accepted = pairs.filter(
      ({ message, outcome }) => outcome.state === 'accepted' && asking.has(message.businessId),
    )
    if (accepted.length > 0) {
      const events = accepted.map(({ message, outcome }) => acceptedEvent(message, outcome.at))
      await emitAll(tx, events, now)
    }
    if (pairs.some(({ outcome }) => outcome.state !== 'accepted')) {
      await follow(tx, deps, { pairs, now })
    }
    await tellOutcomes(tx, deps.outcomes, pairs.map(settledOf), now)
  })
}

interface EndedAttempt extends OfCampaign {
  attemptId: string
  channel: Channel
  kind: MessageKind
  isReply: boolean
  to: string
  labels: Labels | null
  route: string | null
  senderDomain: string | null
  provider: string | null
  attempts: number
}

/**
 * Ends attempts with their events. Returns those that this worker still held. An attempt whose
 * outcome was recorded as unknown may still end, as long as it is the message's last attempt.
 */
export function endAttempts(db: Db, all: Ending[], now: Date): Promise<EndedAttempt[]> {
  return db.all(sql`
    with incoming (business_id, id, attempt_id, state, at, due_at, code, words, taken_as,
      segments, route, event_id) as (
      select * from unnest(
        ${all.map((ending) => ending.businessId)}::uuid[],
        ${all.map((ending) => ending.id)}::uuid[],
        ${all.map((ending) => ending.attemptId)}::uuid[],
        ${all.map((ending) => ending.state)}::text[],
        ${all.map((ending) => ending.at)}::timestamptz[],
        ${all.map((ending) => ending.dueAt)}::timestamptz[],
        ${all.map((ending) => ending.code)}::text[],
        ${all.map((ending) => ending.words)}::text[],
        ${all.map((ending) => ending.takenAs)}::text[],
        ${all.map((ending) => ending.segments)}::smallint[],
        ${all.map((ending) => ending.route)}::text[],
        ${all.map((ending) => ending.eventId)}::uuid[]
      )
    ), ended as (
      update messages m set
        state = incoming.state, due_at = coalesce(incoming.due_at, m.due_at),
        taken_as = coalesce(incoming.taken_as, m.taken_as),
        segments = coalesce(incoming.segments, m.segments),
        route = coalesce(incoming.route, m.route), updated_at = ${now}
      from incoming
      where m.business_id = incoming.business_id and m.id = incoming.id
        and m.attempt_id = incoming.attempt_id and m.state in ('attempting', 'unknown')
      returning m.business_id, m.id, m.attempt_id, m.channel, m.kind, m.is_reply, m.contact_id,
        m.campaign_id, m.recipient, m.labels, m.route, m.sender_domain, m.provider, m.attempts
    ), told as (
      insert into message_events (business_id, message_id, id, type, happened_at, code, words,
        created_at)
      select business_id, id, event_id, state, at, code, words, ${now}
      from incoming join ended using (business_id, id, attempt_id)
    )
    select business_id as "businessId", id, attempt_id as "attemptId", channel, kind, is_reply as "isReply",
      contact_id as "contactId", campaign_id as "campaignId", recipient as "to", labels, route,
      sender_domain as "senderDomain", provider, attempts
    from ended
  `)
}

const isPlain = ({ state, campaignId }: Outcome) => state === 'accepted' && campaignId === null

interface Pair {
  message: EndedAttempt
  outcome: Outcome
}

function settledOf({ message, outcome }: Pair) {
  const { businessId, id, campaignId, contactId, provider, attempts, to } = message
  // A simulated bounce is none of the campaign's, whose rate may pause it.
  const state = outcome.state === 'bounced' && isSimulated(to) ? 'accepted' : outcome.state
  const { refusesSender: byPolicy, words, code, stopped } = outcome
  const isFirstDeferral = state === 'deferred' && attempts === 1
  // What the sender lacks is told of while it is refused for now, too.
  const lackWords = isFirstDeferral && outcome.missing && commonWords(words ?? '', to)
  // What was lost, or is unknown, was refused by nobody.
  const refusal =
    state === 'failed' && code !== null ? { byPolicy, words: commonWords(words ?? code, to) } : null
  return {
    businessId,
    id,
    campaignId,
    contactId,
    state,
    provider,
    ...(isFirstDeferral && { isFirstDeferral }),
    ...(lackWords && { lackWords }),
    ...(refusal && { refusal }),
    ...(stopped && { reason: 'stop' }),
  }
}

/** Queues another try, suppresses the address, and writes events. */
async function follow(
  tx: Tx,
  { hmac, wake }: EndDeps,
  { pairs, now }: { pairs: Pair[]; now: Date },
): Promise<void> {
  if (wake) tellOfJobs(tx, wake)
  await queueMessages(
    tx,
    pairs.flatMap(({ message, outcome: { dueAt } }) =>
      dueAt ? [{ ...message, dueAt, again: true }] : [],
    ),
    now,
  )
  const dead = pairs.filter(({ outcome }) => outcome.suppress)
  await suppress(
    tx,
    hmac,
    dead.map(({ message: { businessId, channel, to } }) => {
      return { businessId, channel, address: to, reason: 'bounce', source: sources[channel] }
    }),
    now,
  )
  for (const { message, outcome } of pairs) {
    if (!outcome.stopped) continue
    const { businessId, to: phone, senderDomain: sender } = message
    const source = `the provider’s list of STOP, ${formatId('message', message.id)}`
    const evidence = { source, text: reasonOf(outcome) }
    await stopAtProvider(tx, hmac, { businessId, phone, sender: sender ?? '', evidence }, now)
  }
  for (const { message, outcome } of pairs) {
    if (outcome.missing) await pauseUntilMended(tx, message, outcome.missing, now)
    else if (outcome.refusesSender) await pauseStream(tx, message, now)
  }
  await emitAll(tx, pairs.flatMap(eventsOf), now)
}

function eventsOf({ message, outcome }: Pair): NewEvent[] {
  const { state, dueAt } = outcome
  const reason = reasonOf(outcome)
  if (state === 'bounced') return [bouncedEvent(message, reason, outcome.suppress)]
  if (state === 'failed') return [failedEvent(message, reason)]
  if (state === 'suppressed') return [suppressedEvent(message, 'stop')]
  return state === 'deferred' && message.attempts === 1
    ? [deferredEvent(message, reason, dueAt)]
    : []
}

/** The source of the suppression, by channel. */
const sources: Readonly<Record<Channel, string>> = { email: 'smtp', sms: 'sms provider' }

const reasonOf = ({ words, code }: Outcome) => words ?? code ?? 'refused'

function bouncedEvent(message: EndedAttempt, reason: string, suppressed: boolean): NewEvent {
  const data = { ...factsOf(message), reason, suppressed }
  return { businessId: message.businessId, type: 'message.bounced', data }
}

/** The next hop's reply to a message. */
export type Answer =
  /** The next hop accepted the message. `takenAs` is the id that its receipts will use. */
  | { result: 'accepted'; code: string | null; words: string; takenAs?: string; segments?: number }
  /** The next hop refused it, temporarily or permanently. `slower`: it requests a lower rate. */
  | {
      result: 'refused'
      final: boolean
      /** `stopped`: the person sent STOP to the provider of texts. */
      kind: BounceKind | 'stopped'
      slower: boolean
      code: string
      words: string
      /** It refused this message for its size or form, and would take others of the sender. */
      isAboutMessage?: boolean
      /** What the sender lacks, so that the provider refuses all its mail until it has it. */
      missing?: readonly SenderRequirement[]
      /** Another next hop may take it: this one has none of its content. */
      isEarly?: boolean
    }
  /** The connection was lost before the content, so the next hop does not have the message. */
  | { result: 'untouched'; fault: string }
  /** The connection was lost after that, so the next hop may have the message or not. */
  | { result: 'unclear'; fault: string }

/**
 * Derives the message's new state from the connection's reply (docs/design/sending.md has the
 * table).
 */
export function outcomeOf(message: Message, job: HeldJob, answer: Answer, now: Date): Outcome {
  const base = {
    businessId: message.businessId,
    id: message.id,
    campaignId: message.campaignId,
    attemptId: job.lease,
    at: now,
    dueAt: null,
    takenAs: null,
    segments: null,
    route: null,
    suppress: false,
    stopped: false,
    refusesSender: false,
  }
  if (answer.result === 'accepted') {
    const { code, words, takenAs = null, segments = null } = answer
    return { ...base, code, words: words.slice(0, wordsKept), takenAs, segments, state: 'accepted' }
  }
  if (answer.result === 'refused') {
    const { kind, final, code, words, isAboutMessage, missing } = answer
    const reply = { code, words: words.slice(0, wordsKept), ...(missing && { missing }) }
    if (!final) return again(message, { ...base, ...reply }, now)
    // As if the STOP had come to us: no failure of the number, and none of the text.
    if (kind === 'stopped') return { ...base, ...reply, state: 'suppressed', stopped: true }
    return kind === 'hard'
      ? { ...base, ...reply, state: 'bounced', suppress: !isSimulated(message.to) }
      : { ...base, ...reply, state: 'failed', refusesSender: kind === 'policy' && !isAboutMessage }
  }
  const lost = { ...base, code: null, words: answer.fault }
  // Marketing is sent at most once. Other messages are rather sent twice than never.
  if (answer.result === 'unclear' && message.kind === 'marketing')
    return { ...lost, state: 'unknown' }
  return again(message, lost, now)
}

/** The most characters of a remote server's reply that are stored. */
const wordsKept = 500

function again(
  { attempts, queuedAt, dueAt }: Message,
  base: Omit<Outcome, 'state'>,
  now: Date,
): Outcome {
  const next = nextTry({ attempts, queuedAt: queuedAt ?? dueAt }, now)
  return next ? { ...base, state: 'deferred', dueAt: next } : { ...base, state: 'failed' }
}
