/** The operator's answer with what a mail about it needs. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { PastVolume } from './volume.ts'
import type { DomainKey } from './volume-queries.ts'

export interface AnswerForOwner extends Pick<PastVolume, 'emailsPerDay' | 'approved' | 'answer'> {
  /** The owner's address. */
  to: string
  language: string
  domain: string
}

/** Undefined if no answer stands, or if the person is no owner. */
export function findAnswer(
  db: Db,
  { businessId, domainId }: DomainKey,
  ownerId: Id<'user'>,
): Promise<AnswerForOwner | undefined> {
  return db.maybe(sql`
    select u.email as to, b.language, d.name as domain, d.volume_stated as "emailsPerDay",
      d.volume_approved as approved, d.volume_answer as answer
    from domains d
    join businesses b on b.id = d.business_id
    join memberships m on m.business_id = d.business_id and m.user_id = ${ownerId}
    join users u on u.id = m.user_id
    where d.business_id = ${businessId} and d.id = ${domainId} and m.role = 'owner'
      and d.volume_decided_at is not null
  `)
}
