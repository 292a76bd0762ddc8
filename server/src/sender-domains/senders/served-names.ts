/** The names of customers' domains for which this installation responds over HTTPS. */
import type { Db } from '../../lib/db/types.ts'
import { holdsVerifiedName } from '../model/claim-queries.ts'
import { trackingNameOf } from '../records/tracking-record.ts'

const prefix = trackingNameOf('')

/** Whether a name is the tracking name of a domain whose owner has proved it. */
export async function isServedName(db: Db, name: string): Promise<boolean> {
  const domain = servedDomainIn(name)
  return domain !== undefined && holdsVerifiedName(db, domain)
}

/** The domain of which a name would be the tracking name. */
export function servedDomainIn(name: string): string | undefined {
  return name.startsWith(prefix) ? name.slice(prefix.length) : undefined
}
