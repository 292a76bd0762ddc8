/** The people inside a sequence whose time has come: claimed for a turn, and saved as they became. */
import type { Channel } from '../contacts/contact.ts'
import type { Id } from '../core/ids.ts'
import { formatId } from '../core/ids.ts'
import type { Hmac, Origin, Tier } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import { hours, later } from '../lib/time/clock.ts'
import type { Condition } from '../templates/variables.ts'
import type { SequenceKey, StartedVersion } from './sequence.ts'

/** The most people in one turn. */
export const perTurn = 200

export interface At {
  hmac: Hmac
  now: Date
}

export interface RunningSequence {
  name: string
  status: string
  isApproved: boolean
  peoplePerDay: number | null
  tier: Tier
  /** The address that the running version was approved with; null for any. */
  sender: string | null
  /** The number or name that its texts were approved with; null for any. */
  textSender: string | null
}

/** What a turn does with the people of one version. */
export interface Round extends At {
  tx: Tx
  key: SequenceKey
  sequence: RunningSequence
  version: StartedVersion
  /** The zone of the business. */
  zone: string
  done: StepRow[]
  conditions: ReadonlyMap<string, readonly Condition[]>
  /** What a text message costs, by the version of its template. */
  segments: ReadonlyMap<string, number>
  /** The versions of templates that show the items of the entering event. */
  withItems: ReadonlySet<string>
}

export interface StepRow {
  entryId: Id<'entry'>
  step: number
  outcome: 'done' | 'skipped'
  reason: string | null
  messageId: Id<'message'> | null
}

/** Whether somebody may be written to on a channel. */
export interface Reach {
  hasAddress: boolean
  consent: string | null
  isSuppressed: boolean
}

/** Somebody who is inside, as they are claimed and as they become. */
export interface Person {
  id: Id<'entry'>
  contactId: Id<'contact'>
  version: number
  step: number
  dueAt: Date | null
  /** For when the step was meant, if it waits for hours or for room. */
  meantAt: Date | null
  event: Record<string, unknown>
  enteredAt: Date
  steppedAt: Date
  /** Whether the contact still exists. */
  exists: boolean
  phone: string | null
  reach: Readonly<Record<Channel, Reach>>
  zone: string | null
  waitsFor: object | null
  /** Whether the next step sends marketing. */
  sendsNext: boolean
  state: 'active' | 'finished' | 'left'
  reason: string | null
  /** The time from which a wait that begins now counts. */
  from: Date
}

/** Claims who is due, with what decides whether they may be written to. */
export async function claimDue(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  now: Date,
): Promise<Person[]> {
  const rows = await tx.all<Omit<Person, 'state' | 'reason' | 'from' | 'sendsNext'>>(sql`
    select e.id, e.contact_id as "contactId", e.version, e.step::int as step, e.due_at as "dueAt",
      e.meant_at as "meantAt", e.event, e.entered_at as "enteredAt", e.stepped_at as "steppedAt", null as "waitsFor",
      c.id is not null as exists, c.phone, c.attributes ->> 'time_zone' as zone,
      json_build_object(
        'email', json_build_object(
          'hasAddress', c.email is not null, 'consent', c.email_consent, 'isSuppressed', exists (
            select from suppressions s where s.business_id = ${businessId} and s.channel = 'email'
              and s.address_hmac = c.email_mark
          )
        ),
        'sms', json_build_object(
          'hasAddress', c.phone is not null, 'consent', c.sms_consent, 'isSuppressed', exists (
            select from suppressions s where s.business_id = ${businessId} and s.channel = 'sms'
              and s.address_hmac = c.phone_mark
          )
        )
      ) as reach
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
    const state = { state: 'active', reason: null, sendsNext: false } as const
    return { ...row, ...state, from: isLate || !row.dueAt ? now : row.dueAt }
  })
}

interface Saved {
  people: readonly Person[]
  done: readonly StepRow[]
  now: Date
}

export async function savePeople(
  tx: Tx,
  { businessId, sequenceId }: SequenceKey,
  { people, done, now }: Saved,
): Promise<void> {
  await tx.run(sql`
    update sequence_entries e set step = new.step, due_at = new.due_at, waits_for = new.waits_for::json,
      meant_at = new.meant_at, sends_next = new.sends_next,
      stepped_at = new.stepped_at, state = new.state, reason = new.reason,
      ended_at = case when new.state = 'active' then null else ${now}::timestamptz end
    from unnest(
      ${people.map(({ id }) => id)}::uuid[],
      ${people.map(({ step }) => step)}::int[],
      ${people.map(({ dueAt }) => dueAt)}::timestamptz[],
      ${people.map(({ waitsFor }) => (waitsFor ? JSON.stringify(waitsFor) : null))}::text[],
      ${people.map(({ steppedAt }) => steppedAt)}::timestamptz[],
      ${people.map(({ state }) => state)}::text[],
      ${people.map(({ reason }) => reason)}::text[],
      ${people.map(({ meantAt }) => meantAt)}::timestamptz[],
      ${people.map(({ sendsNext }) => sendsNext)}::boolean[]
    ) as new (id, step, due_at, waits_for, stepped_at, state, reason, meant_at, sends_next)
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

export function finish(person: Person): void {
  person.state = 'finished'
  person.dueAt = null
}

export function leave(person: Person, reason: string): void {
  person.state = 'left'
  person.reason = reason
  person.dueAt = null
}

export function pass(person: Person, next: number, now: Date): void {
  person.step = next
  person.dueAt = now
  person.meantAt = null
  person.steppedAt = now
}

/** The person is before the same step at a later time. */
export function postpone(person: Person, until: Date): void {
  person.meantAt ??= person.dueAt
  person.dueAt = until
}

/** What people do by a started version is done by whoever started it. */
export const originOf = ({ connectionId, callId }: StartedVersion): Origin => ({
  connectionId,
  callId: callId ? formatId('request', callId) : '',
})
