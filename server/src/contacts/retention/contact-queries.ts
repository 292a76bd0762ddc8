/** Statements that find silent contacts: nothing came from them and nothing was sent to them. */

import type { Id } from '../../core/ids.ts'
import { replanned } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Db, Sql, Tx } from '../../lib/db/types.ts'
import type { ContactValues } from '../model/contact.ts'

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

/** Whether a contact `c` has had no message, activity, consent or change since `before`. */
function isSilent({ businessId, before, below }: Old): Sql {
  return sqlWithin`(c.updated_at < ${before}
    and not exists (
      select from messages where business_id = ${businessId} and contact_id = c.id
        and (id >= ${below} or state in ('scheduled', 'queued', 'attempting', 'deferred')))
    and not exists (
      select from contact_activity where business_id = ${businessId} and contact_id = c.id
        and id >= ${below})
    and not exists (
      select from consent_events where business_id = ${businessId} and contact_id = c.id
        and id >= ${below})
    and not exists (
      select from own_events where business_id = ${businessId} and contact_id = c.id
        and id >= ${below}))`
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
      select c.id, c.email, c.phone, c.topics,
        json_build_object('email', c.email_consent, 'sms', c.sms_consent) as consent,
        ${isSilent(old)} as "isSilent"
      from contacts c
      where c.business_id = ${old.businessId} and c.id < ${old.below}
        and (${after}::uuid is null or c.id > ${after}::uuid)
      order by c.id limit ${size} for update
    `),
  )
  return {
    silent: rows.filter((one) => one.isSilent),
    looked: rows.length,
    last: rows.at(-1)?.id ?? null,
  }
}
