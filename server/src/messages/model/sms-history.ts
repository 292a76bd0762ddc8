/** Who has texted a number: whom its answer is meant for, and whom its STOP is for. */

import type { Db } from '../../lib/db/types.ts'
import type { Texted } from './message.ts'
import { findTexted } from './sms-history-queries.ts'

/** Each business with each of its senders, the one that wrote last first. @param phone E.164. */
export async function textedBy(db: Db, phone: string): Promise<Texted[]> {
  const found = await findTexted(db, phone)
  return found.sort((a, b) => (a.messageId < b.messageId ? 1 : -1))
}
