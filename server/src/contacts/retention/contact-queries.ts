/** Statements that find silent contacts: nothing came from them and nothing was sent to them. */

import type { Id } from '../../core/ids.ts'
import { replanned, sql } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Db, Sql, Tx } from '../../lib/db/types.ts'
import type { ContactValues } from '../contact.ts'

interface Old {
  businessId: Id<'business'>
  before: Date
  /** An id above those of contacts created before `before`, and of other rows that are older. */
  below: string
}

export interface SilentContact extends Pick<ContactValues, 'email' | 'phone' | 'topics'> {
  id: Id<'contact'>
  consent: ContactValues['consent']
}

/**
 * Of a contact `c`: no message, no activity, no word on consent and no change since then.
 * @param each Keeps each question to its index: without it they may be answered for all contacts
 * of the business at once, which a batch of them does not need.
 */
function isSilent({ businessId, before, below }: Old, each = sql``): Sql {
  return sqlWithin`(c.updated_at < ${before}
    and not exists (
      select from messages where business_id = ${businessId} and contact_id = c.id
        and (id >= ${below} or state in ('scheduled', 'queued', 'attempting', 'deferred')) ${each})
    and not exists (
      select from contact_activity where business_id = ${businessId} and contact_id = c.id
        and id >= ${below} ${each})
    and not exists (
      select from consent_events where business_id = ${businessId} and contact_id = c.id
        and id >= ${below} ${each})
    and not exists (
      select from own_events where business_id = ${businessId} and contact_id = c.id
        and id >= ${below} ${each}))`
}

/** How many contacts the count examines, the oldest first. */
const lookedAt = 200_000

export async function countSilent(db: Db, old: Old & { most: number }): Promise<number> {
  const { n } = await db.one<{ n: number }>(
    replanned(sqlWithin`
      select count(*)::int as n from (
        select from (
          select id, updated_at from contacts
          where business_id = ${old.businessId} and id < ${old.below}
          order by id limit ${lookedAt}
        ) c
        where ${isSilent(old)} limit ${old.most}
      ) silent
    `),
  )
  return n
}

/** Locks the next contacts; returns the silent ones, and how many were examined. */
export async function lockSilent(
  tx: Tx,
  { after, size, ...old }: Old & { after: string | null; size: number },
): Promise<{ silent: SilentContact[]; looked: number; last: string | null }> {
  const rows = await tx.all<SilentContact & { isSilent: boolean }>(
    replanned(sqlWithin`
      with looked as materialized (
        select id, email, phone, topics, email_consent, sms_consent, updated_at
        from contacts
        where business_id = ${old.businessId} and id < ${old.below}
          and id > coalesce(${after}::uuid, '00000000-0000-0000-0000-000000000000')
        order by id limit ${size} for update
      )
      select c.id, c.email, c.phone, c.topics,
        json_build_object('email', c.email_consent, 'sms', c.sms_consent) as consent,
        ${isSilent(old, sql`offset 0`)} as "isSilent"
      from looked c
      order by c.id
    `),
  )
  return {
    silent: rows.filter((row) => row.isSilent),
    looked: rows.length,
    last: rows.at(-1)?.id ?? null,
  }
}
