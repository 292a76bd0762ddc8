/**
 * A sequence, called automation in the app: people enter by a rule, and each goes through its steps
 * at their own time. Read the folder in this order:
 *
 * - `definition.ts`, `steps.ts` and `since.ts` (its grammar), `limits.ts`, and `program.ts`: the
 *   order of the steps and their times.
 * - `save.ts`, `get.ts`, `list.ts`, `copy.ts`, `gallery.ts`, `delete.ts`.
 * - `preview.ts`: what a start would do, with `room.ts` (whether there is room for what it sends).
 *   `start.ts` starts it, and `decide.ts` is a person's yes or no.
 * - `enter.ts`: people enter by the events of the feed; `look.ts`: by a date or a segment, with
 *   `changes.ts` (who changed since the last look); `enrol.ts`: by a call. `bounds.ts`: too many at once.
 * - `run.ts`: the steps that are due are done, for the people in `inside.ts`: `send.ts` writes to them,
 *   `notify.ts` tells the business's own people, in `note-words.ts`. `effect.ts` measures what it brings.
 * - `leave.ts`, `remove.ts`; `pause.ts`, `resume.ts`, `stop.ts`; `hold-restored.ts` (after a restore).
 * - `why.ts` answers about one person, `export-people.ts` lists all who entered, and
 *   `personal-data.ts` forgets and merges people.
 */

import type { Filter } from '../contacts/filters/filter.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import type { Locate } from '../core/operation.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import type { Definition } from './definition.ts'

const sequenceStatuses = ['draft', 'awaiting_approval', 'running', 'paused', 'stopped'] as const
type SequenceStatus = (typeof sequenceStatuses)[number]

/** What happens to those inside when another version begins. */
export const insideChoices = ['finish', 'move', 'end'] as const
export type InsideChoice = (typeof insideChoices)[number]

export interface Sequence {
  id: Id<'sequence'>
  name: string
  status: SequenceStatus
  /** As it was saved last. */
  definition: Definition
  /** Counts the saves. */
  version: number
  /** By which people enter now; null before the first start. */
  runningVersion: number | null
  pauseReason: string | null
  /** The order that waits for a person. */
  wanted: Order | null
  /** Whether a person approved the running version. */
  isApproved: boolean
  peoplePerDay: number | null
  endsAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** A start as it was ordered. */
export interface Order {
  inside: InsideChoice
  templates: TemplateVersions
  /** The filter of the segment by which people enter. */
  segment?: Filter | null
  /** The address that its emails come from. */
  sender?: string | null
  /** The number or name that its texts come from; empty where the provider chooses. */
  textSender?: string | null
  userId: Id<'user'>
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

/** The version of each template that a started version sends, by the template's public id. */
export type TemplateVersions = Readonly<Record<string, Id<'templateVersion'>>>

export interface SequenceKey {
  businessId: Id<'business'>
  sequenceId: Id<'sequence'>
}

export const sequenceIdInput = Type.String({ pattern: '^seq_[0-9a-hjkmnp-tv-z]{26}$' })

const orNull = Type.Union([Type.String(), Type.Null()])
const anObject = Type.Unsafe<object>({ type: 'object' })

export const sequenceFields = {
  sequence_id: Type.String(),
  name: Type.String(),
  status: Type.Enum(sequenceStatuses),
  possible: Type.Array(Type.String()),
  kind: Type.Enum(['marketing', 'transactional']),
  enter: anObject,
  exit: Type.Optional(anObject),
  goal: Type.Optional(anObject),
  goal_within: Type.Optional(Type.String()),
  holdout: Type.Optional(Type.Integer()),
  hours: Type.Optional(anObject),
  wait_at_most: Type.Optional(Type.String()),
  steps: Type.Array(anObject),
  version: Type.Integer(),
  running_version: Type.Union([Type.Integer(), Type.Null()]),
  pause_reason: orNull,
  start_waits: Type.Boolean(),
  people_per_day: Type.Union([Type.Integer(), Type.Null()]),
  ends_at: orNull,
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC.' }),
}

export function fieldsOf(sequence: Sequence) {
  const { steps, ...definition } = sequence.definition
  return {
    sequence_id: formatId('sequence', sequence.id),
    name: sequence.name,
    status: sequence.status,
    possible: possibleIn(sequence.status),
    ...definition,
    steps: [...steps],
    version: sequence.version,
    running_version: sequence.runningVersion,
    pause_reason: sequence.pauseReason,
    start_waits: sequence.wanted !== null,
    people_per_day: sequence.peoplePerDay,
    ends_at: sequence.endsAt?.toISOString() ?? null,
    created_at: sequence.createdAt.toISOString(),
    updated_at: sequence.updatedAt.toISOString(),
  }
}

type SequenceAction =
  | 'save'
  | 'start'
  | 'pause'
  | 'resume'
  | 'stop'
  | 'delete'
  | 'enrol'
  | 'remove'
  | 'preview'
  | 'copy'
  | 'why'

const possible: Readonly<Record<SequenceStatus, readonly SequenceAction[]>> = {
  draft: ['save', 'start', 'delete'],
  awaiting_approval: ['start', 'stop'],
  running: ['save', 'start', 'pause', 'resume', 'stop', 'enrol', 'remove'],
  paused: ['save', 'start', 'pause', 'resume', 'stop', 'enrol', 'remove'],
  stopped: ['save', 'start', 'stop', 'delete'],
}

const always: readonly SequenceAction[] = ['preview', 'copy', 'why']

/** The operations that are possible in this state. */
const possibleIn = (status: SequenceStatus): string[] =>
  [...possible[status], ...always].map((action) => `sequence.${action}`)

/** Refuses what the sequence's state does not allow, and names what it does. */
export function checkPossible(
  action: SequenceAction,
  { id, status }: Pick<Sequence, 'id' | 'status'>,
): void {
  if (possibleIn(status).includes(`sequence.${action}`)) return
  const text = `The sequence is ${status}, and sequence.${action} is not possible then. Possible are ${possibleIn(status).join(', ')}.`
  throw refuse('conflict', text, {
    data: { reason: 'not_in_this_state', status, possible: possibleIn(status) },
    fix: { tool: 'sequence.get', arguments: { sequence_id: formatId('sequence', id) } },
  })
}

/** Another business's sequence gets the same answer as one that never existed. */
export function noSuchSequence(sequenceId: string) {
  return refuse('not_found', `This business has no sequence ${sequenceId}.`, {
    field: 'sequence_id',
    fix: { tool: 'sequence.list', arguments: {} },
  })
}

/** Finds the business that has the sequence `seq_…`. */
export const bySequence: Locate = async (db, businessIds, text) => {
  const id = parseId('sequence', text)
  const owner =
    id &&
    (await db.maybe<{ businessId: Id<'business'> }>(sql`
      select business_id as "businessId" from sequences
      where business_id = any(${businessIds}::uuid[]) and id = ${id}
    `))
  return owner?.businessId
}

export const wholeSequence = sql`
  id, name, status, definition, version, running_version as "runningVersion",
  pause_reason as "pauseReason", wanted, is_approved as "isApproved",
  people_per_day as "peoplePerDay", ends_at as "endsAt",
  created_at as "createdAt", updated_at as "updatedAt"
`

export async function readSequence(
  db: Db,
  businessId: Id<'business'>,
  sequenceId: string,
): Promise<Sequence> {
  const id = parseId('sequence', sequenceId)
  const row =
    id &&
    (await db.maybe<Sequence>(sqlWithin`
      select ${wholeSequence} from sequences
      where business_id = ${businessId} and id = ${id} and deleted_at is null
    `))
  if (!row) throw noSuchSequence(sequenceId)
  return row
}

/** The sequence, locked until the transaction ends. */
export async function lockSequence(
  tx: Tx,
  businessId: Id<'business'>,
  sequenceId: string,
): Promise<Sequence> {
  const id = parseId('sequence', sequenceId)
  const row =
    id &&
    (await tx.maybe<Sequence>(sqlWithin`
      select ${wholeSequence} from sequences
      where business_id = ${businessId} and id = ${id} and deleted_at is null
      for update
    `))
  if (!row) throw noSuchSequence(sequenceId)
  return row
}

/** A version that was started. */
export interface StartedVersion {
  version: number
  definition: Definition
  templates: TemplateVersions
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

export function findVersions(
  db: Db,
  { businessId, sequenceId }: SequenceKey,
  versions: readonly number[],
): Promise<StartedVersion[]> {
  return db.all(sql`
    select version, definition, templates, connection_id as "connectionId", call_id as "callId"
    from sequence_versions
    where business_id = ${businessId} and sequence_id = ${sequenceId}
      and version = any(${versions}::int[])
  `)
}

const openStatuses = ['awaiting_approval', 'running', 'paused'] as const

/** By status, with 0 for a status that no sequence has. */
export async function openSequences(db: Db): Promise<Record<string, number>> {
  const businesses = await db.all<{ id: Id<'business'> }>(sql`select id from businesses`)
  const rows = await db.all<{ status: string; sequences: number }>(sql`
    select status, count(*)::int as sequences from sequences
    where business_id = any(${businesses.map(({ id }) => id)}::uuid[]) and deleted_at is null
    group by status
  `)
  const counts = new Map(rows.map(({ status, sequences }) => [status, sequences]))
  return Object.fromEntries(openStatuses.map((status) => [status, counts.get(status) ?? 0]))
}
