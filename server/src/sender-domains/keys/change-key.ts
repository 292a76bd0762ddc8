import { refuse } from '../../core/errors.ts'
import type { Database } from '../../lib/db/types.ts'
import type { Clock } from '../../lib/time/clock.ts'
import { findHolder } from '../model/claim-queries.ts'
import type { Slot } from '../model/domain.ts'
import { type KeyChangeParts, startKeyChange } from './key-change.ts'
import { findDomain } from './read-domains.ts'

/** Starts a key change of a verified domain, at the operator's command. */
export async function changeKeyOf(
  parts: KeyChangeParts & { db: Database; clock: Clock },
  name: string,
): Promise<Slot> {
  const holder = await findHolder(parts.db, name.toLowerCase())
  const domain = holder && (await findDomain(parts.db, holder.businessId, holder))
  if (domain) return startKeyChange(parts, domain, parts.clock.now())
  throw refuse('not_found', `No business has verified ${name}.`, { field: 'domain' })
}
