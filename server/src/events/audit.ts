/**
 * The audit log: who did what, for actions that must be answered for later (sends, imports,
 * deploys, erasure and settings). Everything else has its provenance on its event.
 */

import { type Id, newId, parseId } from '../core/ids.ts'
import type { Origin } from '../core/operation.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import { enqueue } from '../lib/jobs/job.ts'
import { hours, later } from '../lib/time/clock.ts'

export interface AuditEntry {
  businessId: Id<'business'>
  /** The operation's name, such as `contact.import`. */
  action: string
  /** The public id of what the action was done to, such as `cmp_…`. */
  subject?: string
  /**
   * Numbers and names that say what exactly was done. They hold no personal data, because erasure
   * does not reach the audit log.
   */
  details?: Record<string, string | number | boolean | null>
  /** The person, for an action without a call; a call provides its own person. */
  userId?: Id<'user'>
  origin?: Origin | undefined
}

/** Records entries in the transaction of the actions that they are about. */
export async function recordAudit(tx: Tx, entries: AuditEntry[], now: Date): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map(({ businessId, action, subject, details, userId, origin }) => ({
    businessId,
    id: newId('audit'),
    action,
    subject: subject ?? null,
    details: JSON.stringify(details ?? {}),
    userId: userId ?? origin?.userId ?? null,
    connectionId: origin?.connectionId ?? null,
    callId: origin ? (parseId('request', origin.callId) ?? null) : null,
  }))
  await insertAudit(tx, rows, now)
  await queueNotices(tx, entries, now)
}

interface AuditRow {
  businessId: Id<'business'>
  id: Id<'audit'>
  action: string
  subject: string | null
  /** JSON text. */
  details: string
  userId: Id<'user'> | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

function insertAudit(db: Db, rows: AuditRow[], now: Date): Promise<number> {
  return db.run(sql`
    insert into audit_entries (business_id, id, action, subject, details, user_id,
      connection_id, call_id, created_at)
    select *, ${now} from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.action)}::text[],
      ${rows.map((row) => row.subject)}::text[],
      ${rows.map((row) => row.details)}::jsonb[],
      ${rows.map((row) => row.userId)}::uuid[],
      ${rows.map((row) => row.connectionId)}::uuid[],
      ${rows.map((row) => row.callId)}::uuid[]
    )
  `)
}

/** How many erasures and merges of an hour no owner is told of. */
export const quietRemovals = 20

/** Mails owners what takes data out or cannot be undone (`assistants/owner-notices.ts`). */
export const noticeJob = 'owners.notice'

export interface OwnerNotice {
  kind: 'webhook' | 'export' | 'domain' | 'removals' | 'held' | 'proposed' | 'failing' | 'feed'
  /** A host, a domain, a number, or what was exported. */
  subject: string
  /** The status that a failing receiver answers, empty without an answer; what is wrong with a feed. */
  detail?: string
  webhook?: string
}

export interface NoticePayload extends OwnerNotice {
  business_id: Id<'business'>
  user_id: Id<'user'> | null
  connection_id: Id<'connection'> | null
}

function noticeOf({ action, subject = '', details = {} }: AuditEntry): OwnerNotice | undefined {
  const host = details['new_host']
  if (action === 'webhook.save' && typeof host === 'string') {
    return { kind: 'webhook', subject: host, webhook: subject }
  }
  if (action === 'message.propose') return { kind: 'proposed', subject: String(details['emails']) }
  if (action === 'removal.order' && details['is_notified'] === true) {
    return { kind: 'held', subject: String(details['domain'] ?? details['of']) }
  }
  if (action === 'domain.remove') return { kind: 'domain', subject }
  if (action === 'export.create') return { kind: 'export', subject: String(details['of'] ?? '') }
  if (action === 'contact.export') return { kind: 'export', subject }
  if (action === 'audit.export') return { kind: 'export', subject: 'audit' }
  return undefined
}

const removals: ReadonlySet<string> = new Set(['contact.erase', 'contact.merge'])

/** Whoever did it and however, so that no way is left out. The entries have been written. */
async function queueNotices(tx: Tx, entries: readonly AuditEntry[], now: Date): Promise<void> {
  for (const entry of entries) {
    const notice = noticeOf(entry)
    if (notice) await queueNotice(tx, entry, { notice, now })
  }
  const byBusiness = Map.groupBy(
    entries.filter(({ action }) => removals.has(action)),
    ({ businessId }) => businessId,
  )
  for (const [businessId, removed] of byBusiness) {
    const { people } = await tx.one<{ people: number }>(sql`
      select count(*)::int as people from (
        select from audit_entries
        where business_id = ${businessId} and action in ('contact.erase', 'contact.merge')
          and created_at > ${later(now, -hours(1))}
        limit ${quietRemovals + removed.length + 1}
      ) recent
    `)
    // Once, when the number is passed.
    if (people <= quietRemovals || people - removed.length > quietRemovals) continue
    const entry = removed[0] as AuditEntry
    await queueNotice(tx, entry, { notice: { kind: 'removals', subject: `${people}` }, now })
  }
}

export async function queueNotice(
  tx: Tx,
  { businessId, userId, origin }: Pick<AuditEntry, 'businessId' | 'userId' | 'origin'>,
  { notice, now }: { notice: OwnerNotice; now: Date },
): Promise<void> {
  const payload: NoticePayload = {
    ...notice,
    business_id: businessId,
    user_id: userId ?? origin?.userId ?? null,
    connection_id: origin?.connectionId ?? null,
  }
  await enqueue(tx, [{ kind: noticeJob, businessId, payload }], now)
}
