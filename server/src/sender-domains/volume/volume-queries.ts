/** Statements about the past volume of domains. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { PastVolume, WaitingVolume } from './volume.ts'

export interface DomainKey {
  businessId: Id<'business'>
  domainId: Id<'domain'>
}

/** Undefined if the owner has stated nothing. */
export function findVolume(
  db: Db,
  { businessId, domainId }: DomainKey,
): Promise<PastVolume | undefined> {
  return db.maybe(sql`
    select volume_stated as "emailsPerDay", volume_note as note, volume_stated_at as "statedAt",
      volume_approved as approved, volume_answer as answer, volume_decided_at as "decidedAt"
    from domains
    where business_id = ${businessId} and id = ${domainId} and volume_stated_at is not null
  `)
}

/** Replaces an earlier statement. Returns 0 if one waits, or if the domain is not verified. */
export function stateVolume(
  tx: Tx,
  { businessId, domainId }: DomainKey,
  { emailsPerDay, note, now }: { emailsPerDay: number; note: string | null; now: Date },
): Promise<number> {
  return tx.run(sql`
    update domains set volume_stated = ${emailsPerDay}, volume_note = ${note},
      volume_stated_at = ${now}, volume_approved = null, volume_answer = null,
      volume_decided_at = null
    where business_id = ${businessId} and id = ${domainId} and status = 'verified'
      and (volume_stated_at is null or volume_decided_at is not null)
  `)
}

/** Returns 0 if no statement waits. */
export function decideVolume(
  tx: Tx,
  { businessId, domainId }: DomainKey,
  { approved, answer, now }: { approved: number | null; answer: string | null; now: Date },
): Promise<number> {
  return tx.run(sql`
    update domains set volume_approved = ${approved}, volume_answer = ${answer},
      volume_decided_at = ${now}
    where business_id = ${businessId} and id = ${domainId}
      and volume_stated_at is not null and volume_decided_at is null
  `)
}

/** Makes an approval a refusal. Returns 0 if the statement is not approved. */
export function withdrawVolume(
  tx: Tx,
  { businessId, domainId }: DomainKey,
  { answer, now }: { answer: string | null; now: Date },
): Promise<number> {
  return tx.run(sql`
    update domains set volume_approved = null, volume_answer = ${answer}, volume_decided_at = ${now}
    where business_id = ${businessId} and id = ${domainId} and volume_approved is not null
  `)
}

/** The statements of all businesses that wait for the operator, the oldest first. */
export function listWaitingVolumes(db: Db, limit: number): Promise<WaitingVolume[]> {
  return db.all(sql`
    select d.business_id as "businessId", b.name as "businessName", d.id as "domainId",
      d.name as domain, d.volume_stated as "emailsPerDay", d.volume_note as note,
      d.volume_stated_at as "statedAt", d.volume_approved as approved, d.volume_answer as answer,
      d.volume_decided_at as "decidedAt"
    from domains d join businesses b on b.id = d.business_id
    where d.volume_stated_at is not null and d.volume_decided_at is null
    order by d.volume_stated_at, d.id limit ${limit}
  `)
}
