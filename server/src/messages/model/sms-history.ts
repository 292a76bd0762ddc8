/** The businesses that have sent texts to a number. A reply or a STOP may be meant for them. */

import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { TextedBusiness } from './message.ts'

/** Returns each business with each of its senders, most recent first. @param phone E.164. */
export async function textedBy(db: Db, phone: string): Promise<TextedBusiness[]> {
  const text = await findTexted(db, phone)
  return text.sort((a, b) => (a.messageId < b.messageId ? 1 : -1))
}

/** A message that was never tried has no sender yet, and its recipient does not know of it. */
function findTexted(db: Db, phone: string): Promise<TextedBusiness[]> {
  return db.all(sql`
    select distinct on (business_id, sender_domain) business_id as "businessId",
      sender_domain as sender, id as "messageId"
    from messages
    where channel = 'sms' and recipient = ${phone} and sender_domain is not null and attempts > 0
    order by business_id, sender_domain, id desc
  `)
}
