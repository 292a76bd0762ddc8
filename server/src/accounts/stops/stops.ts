/**
 * What people have stopped in a business: one connection, or all sending. A stop of a connection
 * refuses its calls and holds its messages; a stop of all sending holds marketing and, if chosen,
 * the messages of connections and keys. `assistants/` pauses and resumes campaigns and automations.
 */
import { withAccessChange } from '../../core/access-changes.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Sql, Tx } from '../../lib/db/types.ts'

export interface Stop {
  /** A connection, or the business itself for all its sending. */
  stoppedId: Id<'connection'> | Id<'business'>
  withMessages: boolean
  /** Holds every message, as in a business that was closed. */
  allMessages?: boolean
  /** Null for the operator. */
  stoppedBy: Id<'user'> | null
  stoppedAt: Date
}

/** Stops what runs; what is stopped already stays as it is, or stops more. */
export async function saveStops(
  tx: Tx,
  businessId: Id<'business'>,
  stops: readonly Omit<Stop, 'stoppedAt'>[],
  now: Date,
): Promise<void> {
  const saving = sql`
    insert into sending_stops (business_id, stopped_id, with_messages, all_messages, stopped_by,
      stopped_at)
    select ${businessId}, id, with_messages, all_messages, stopped_by, ${now} from unnest(
      ${stops.map(({ stoppedId }) => stoppedId)}::uuid[],
      ${stops.map(({ withMessages }) => withMessages)}::boolean[],
      ${stops.map(({ allMessages = false }) => allMessages)}::boolean[],
      ${stops.map(({ stoppedBy }) => stoppedBy)}::uuid[]
    ) as new (id, with_messages, all_messages, stopped_by)
    on conflict (business_id, stopped_id) do update set
      with_messages = sending_stops.with_messages or excluded.with_messages,
      all_messages = sending_stops.all_messages or excluded.all_messages
    returning stopped_id as subject
  `
  await tx.run(withAccessChange(saving, now))
}

export async function endStops(
  tx: Tx,
  businessId: Id<'business'>,
  ids: readonly Stop['stoppedId'][],
  now: Date,
): Promise<void> {
  const ending = sql`
    delete from sending_stops
    where business_id = ${businessId} and stopped_id = any (${[...ids]}::uuid[])
    returning stopped_id as subject
  `
  await tx.run(withAccessChange(ending, now))
}

export function stopsOf(db: Db, businessId: Id<'business'>): Promise<Stop[]> {
  return db.all(sql`
    select stopped_id as "stoppedId", with_messages as "withMessages", stopped_by as "stoppedBy",
      stopped_at as "stoppedAt"
    from sending_stops where business_id = ${businessId} order by stopped_at, stopped_id
  `)
}

/** Whether marketing of the business is stopped, or what this connection ordered. */
export async function isStopped(
  db: Db,
  businessId: Id<'business'>,
  connectionId: Id<'connection'> | null,
): Promise<boolean> {
  const row = await db.maybe(sql`
    select from sending_stops
    where business_id = ${businessId} and stopped_id in (${businessId}, ${connectionId}::uuid)
    limit 1
  `)
  return row !== undefined
}

/** Refuses to start or resume what would send marketing while a person has stopped all of it. */
export async function checkSending(db: Db, businessId: Id<'business'>): Promise<void> {
  if (await isStopped(db, businessId, null)) throw sendingStopped()
}

function sendingStopped(): Refusal {
  const text =
    'All sending of this business is stopped. A person resumes it in the app, on the page Connections.'
  return refuse('conflict', text, { data: { reason: 'sending_stopped' } })
}

/**
 * Whether a stop holds message `m`: that of its connection, unless a campaign sends it, which is
 * paused by itself; or that of the business, for marketing and, if chosen, what came through a
 * connection or a key. That of a closed business holds all but the answers to texts.
 */
export const isHeldByStop: Sql = sql`exists (
  select from sending_stops s
  where s.business_id = m.business_id and case
    when s.stopped_id = m.business_id
      then m.kind = 'marketing' or s.with_messages and m.connection_id is not null
        or s.all_messages and not m.is_reply
    else s.stopped_id = m.connection_id and m.campaign_id is null end
)`
