/**
 * The closing of a business: nobody reaches it any more, and an owner can take it back until its
 * deletion begins. The row of a closing outlives the business, as the certificate of what was deleted.
 */
import { withAccessChange } from '../../core/access-changes.ts'
import { formatId, type Id, twinOf } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { days, later } from '../../lib/time/clock.ts'
import { saveStops } from '../stops/stops.ts'

export const closingLimits = {
  /** Days in which an owner can take the business back. */
  daysToTakeBack: 30,
  /** Days after the deletion in which its links and its number still answer. */
  daysOfAnswers: 60,
} as const

/** The job that deletes what a closed business has. */
export const deletionJob = 'business.delete'

export interface DeletionPayload {
  business_id: Id<'business'>
}

export interface Closing {
  id: Id<'business'>
  name: string
  language: string
  closedAt: Date
  /** Null for the operator. */
  closedBy: Id<'user'> | null
  owners: Id<'user'>[]
  keepsSuppressions: boolean
  deleteAt: Date
  reopenedAt: Date | null
  deletionBeganAt: Date | null
  /** The number of deleted rows by table. */
  deleted: Record<string, number>
  deletedAt: Date | null
  removedAt: Date | null
}

export interface ClosingRequest {
  businessId: Id<'business'>
  closedBy: Id<'user'> | null
  keepsSuppressions: boolean
  /** When its deletion begins; by default after the days in which it can be taken back. */
  deleteAt?: Date
  now: Date
}

/**
 * Closes the business in this transaction: its connections lose it, no message of it is sent, and its
 * deletion is queued. Returns undefined if there is no such business, or it is closed already.
 */
export async function markClosed(
  tx: Tx,
  { businessId, closedBy, keepsSuppressions, deleteAt, now }: ClosingRequest,
): Promise<Closing | undefined> {
  const endsAt = deleteAt ?? later(now, days(closingLimits.daysToTakeBack))
  const open = await tx.maybe(sql`
    select from businesses where id = ${businessId} and closed_at is null and test_of is null
    for update
  `)
  if (!open) return undefined
  await tx.run(sql`
    insert into business_closings (id, name, language, closed_at, closed_by, owners,
      keeps_suppressions, delete_at)
    select id, name, language, ${now}, ${closedBy}, array(
      select user_id from memberships
      where business_id = ${businessId} and role = 'owner' order by user_id
    ), ${keepsSuppressions}, ${endsAt}
    from businesses where id = ${businessId}
    on conflict (id) do update set
      name = excluded.name, language = excluded.language, closed_at = excluded.closed_at,
      closed_by = excluded.closed_by, owners = excluded.owners, reopened_at = null,
      keeps_suppressions = excluded.keeps_suppressions, delete_at = excluded.delete_at
  `)
  const payload: DeletionPayload = { business_id: businessId }
  const job = { kind: deletionJob, businessId, payload, dueAt: endsAt }
  await enqueue(tx, [{ ...job, priority: 'bulk' }], now)
  const stop = { stoppedId: businessId, withMessages: true, allMessages: true, stoppedBy: closedBy }
  await saveStops(tx, businessId, [stop], now)
  await endConnections(tx, businessId, now)
  const closing = sql`
    update businesses set closed_at = ${now}, updated_at = ${now}
    where id in (${businessId}, ${twinOf(businessId)})
    returning id as subject
  `
  await tx.run(withAccessChange(closing, now))
  return findClosing(tx, businessId)
}

/** Takes the business out of every connection; those that reached no other one end. */
async function endConnections(tx: Tx, businessId: Id<'business'>, now: Date): Promise<void> {
  const ending = sql`
    update connections set
      business_ids = case when cardinality(business_ids) > 1
        then array_remove(business_ids, ${businessId}) else business_ids end,
      revoked_at = case when cardinality(business_ids) > 1
        then revoked_at else coalesce(revoked_at, ${now}) end,
      revoked_by = case when cardinality(business_ids) > 1 or revoked_at is not null
        then revoked_by else 'closing' end
    where business_ids && ${[businessId, twinOf(businessId)]}::uuid[] and revoked_at is null
    returning id as subject
  `
  await tx.run(withAccessChange(ending, now))
}

/**
 * Gives a closed business back to its members. Sending stays stopped until a person resumes it, so
 * that nothing old is sent by surprise. Returns whether it could still be taken back.
 */
export async function markReopened(
  tx: Tx,
  businessId: Id<'business'>,
  now: Date,
): Promise<boolean> {
  const reopened = await tx.run(sql`
    update business_closings set reopened_at = ${now}
    where id = ${businessId} and reopened_at is null and deletion_began_at is null
  `)
  if (reopened === 0) return false
  const opening = sql`
    update businesses set updated_at = ${now}, closed_at = null
    where id in (${businessId}, ${twinOf(businessId)})
    returning id as subject
  `
  await tx.run(withAccessChange(opening, now))
  return true
}

const columns = `id, name, language, closed_at as "closedAt", closed_by as "closedBy", owners,
  keeps_suppressions as "keepsSuppressions", delete_at as "deleteAt", reopened_at as "reopenedAt",
  deletion_began_at as "deletionBeganAt", deleted, deleted_at as "deletedAt",
  removed_at as "removedAt"`

export function findClosing(db: Db, id: Id<'business'>): Promise<Closing | undefined> {
  return db.maybe(textual(`select ${columns} from business_closings where id = $1`, [id]))
}

/** The closings that hold: all of them for the operator, or those of one owner, newest first. */
export function listClosings(db: Db, ownerId?: Id<'user'>): Promise<Closing[]> {
  return db.all(
    textual(
      `select ${columns} from business_closings
      where reopened_at is null and ($1::uuid is null or $1 = any (owners))
      order by closed_at desc, id limit 200`,
      [ownerId ?? null],
    ),
  )
}

const textual = (text: string, values: unknown[]) => ({ name: '', text, values })

export async function isClosed(db: Db, id: Id<'business'>): Promise<boolean> {
  const row = await db.maybe(sql`
    select from business_closings where id = ${id} and reopened_at is null
  `)
  return row !== undefined
}

/** What the ledger keeps of a closing, so that no restore of an older copy revives the business. */
export type ClosingLine = { at: string; mark: string; business_id: string } & (
  | { kind: 'closed'; delete_at: string; keeps_suppressions: boolean }
  | { kind: 'reopened' }
  | { kind: 'deleted' }
)

export async function closingLinesSince(db: Db, since: Date): Promise<ClosingLine[]> {
  const rows = await db.all<Closing>(
    textual(
      `select ${columns} from business_closings
      where greatest(closed_at, reopened_at, deleted_at) >= $1`,
      [since],
    ),
  )
  return rows.flatMap((row): ClosingLine[] => {
    // The kind makes the line one of a business; it has no address that a hash could name.
    const line = (at: Date) => ({
      at: at.toISOString(),
      mark: '',
      business_id: formatId('business', row.id),
    })
    const { closedAt, deleteAt, reopenedAt, deletedAt, keepsSuppressions } = row
    const closed = {
      ...line(closedAt),
      kind: 'closed' as const,
      delete_at: deleteAt.toISOString(),
      keeps_suppressions: keepsSuppressions,
    }
    return [
      closed,
      ...(reopenedAt ? [{ ...line(reopenedAt), kind: 'reopened' as const }] : []),
      ...(deletedAt ? [{ ...line(deletedAt), kind: 'deleted' as const }] : []),
    ]
  })
}

/** Applies a line to a database that may lack it. */
export async function applyClosing(
  tx: Tx,
  line: ClosingLine,
  businessId: Id<'business'>,
): Promise<void> {
  const at = new Date(line.at)
  if (line.kind === 'reopened') {
    await markReopened(tx, businessId, at)
    return
  }
  const request = { businessId, closedBy: null, now: at }
  if (line.kind === 'closed') {
    const { delete_at, keeps_suppressions: keepsSuppressions } = line
    await markClosed(tx, { ...request, keepsSuppressions, deleteAt: new Date(delete_at) })
    return
  }
  // It is deleted again as soon as sending starts.
  await markClosed(tx, { ...request, keepsSuppressions: true, deleteAt: at })
  await tx.run(sql`
    update business_closings set delete_at = least(delete_at, ${at}) where id = ${businessId}
  `)
}
