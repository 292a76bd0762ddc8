/** The businesses that have sent texts to a number. A reply or a STOP may be meant for them. */

import type { Db } from '../../lib/db/types.ts'
import type { Texted } from './message.ts'
import { findTexted } from './sms-history-queries.ts'

/** Returns each business with each of its senders, most recent first. @param phone E.164. */
export async function textedBy(db: Db, phone: string): Promise<Texted[]> {
  const found = await findTexted(db, phone)
  return found.sort((a, b) => (a.messageId < b.messageId ? 1 : -1))
}
