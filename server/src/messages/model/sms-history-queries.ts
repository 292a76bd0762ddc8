import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Texted } from './message.ts'

/** A message that was never tried has no sender yet, and its recipient does not know of it. */
export function findTexted(db: Db, phone: string): Promise<Texted[]> {
  return db.all(sql`
    select distinct on (business_id, sender_domain) business_id as "businessId",
      sender_domain as sender, id as "messageId"
    from messages
    where channel = 'sms' and recipient = ${phone} and sender_domain is not null and attempts > 0
    order by business_id, sender_domain, id desc
  `)
}
