/** The names of customers' domains for which this installation responds over HTTPS. */
import type { Db } from '../../lib/db/types.ts'
import { holdsVerifiedName } from '../model/claim-queries.ts'
import { trackingNameOf } from '../records/tracking-record.ts'

const prefix = trackingNameOf('')

/** Whether a name is the tracking name of a domain whose owner has proved it. */
export async function isServedName(db: Db, name: string): Promise<boolean> {
  if (!name.startsWith(prefix)) return false
  return holdsVerifiedName(db, name.slice(prefix.length))
}
