/** Statements that remove network addresses and programs from old evidence. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

interface Old {
  businessId: Id<'business'>
  /** An id above those of older rows of the ledger and of confirmations. */
  below: string
  most: number
}

export async function countTraced(db: Db, { businessId, below, most }: Old): Promise<number> {
  const { n } = await db.one<{ n: number }>(sql`
    select least(${most}::int, (
      select count(*) from (
        select from consent_events
        where business_id = ${businessId} and id < ${below}
          and (ip is not null or agent is not null)
        limit ${most}
      ) ledger
    ) + (
      select count(*) from (
        select from confirmations
        where business_id = ${businessId} and id < ${below}
          and (ip is not null or agent is not null or confirmed_ip is not null
            or confirmed_agent is not null)
        limit ${most}
      ) asked
    ))::int as n
  `)
  return n
}

export function blankEvidence(tx: Tx, { businessId, below, most }: Old): Promise<number> {
  return tx.run(sql`
    update consent_events set ip = null, agent = null
    where business_id = ${businessId} and (contact_id, id) in (
      select contact_id, id from consent_events
      where business_id = ${businessId} and id < ${below}
        and (ip is not null or agent is not null)
      order by id limit ${most}
    )
  `)
}

export function blankConfirmations(tx: Tx, { businessId, below, most }: Old): Promise<number> {
  return tx.run(sql`
    update confirmations set ip = null, agent = null, confirmed_ip = null, confirmed_agent = null
    where business_id = ${businessId} and id in (
      select id from confirmations
      where business_id = ${businessId} and id < ${below}
        and (ip is not null or agent is not null or confirmed_ip is not null
          or confirmed_agent is not null)
      order by id limit ${most}
    )
  `)
}
