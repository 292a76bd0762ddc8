/** Signs the service's own mail with the keys of MAIL_FROM's domain, if it is verified here. */

import type { Vault } from '../../lib/crypto/vault.ts'
import type { Db } from '../../lib/db/types.ts'
import type { DkimKey } from '../../lib/email/dkim.ts'
import { type Clock, later, minutes } from '../../lib/time/clock.ts'
import { findDomain } from '../keys/read-domains.ts'
import { signingKeys } from '../keys/signing-keys.ts'
import { findHolder } from '../model/claim-queries.ts'
import { maySend } from './eligibility.ts'

/** After a change of keys, the old keys stay valid for a week. */
const keptFor = minutes(1)

/** Any business may hold the domain, because the operator chooses MAIL_FROM. */
export function createServiceKeys(deps: {
  db: Db
  clock: Clock
  vault: Vault
}): (domain: string) => Promise<readonly DkimKey[]> {
  let cached: { domain: string; until: Date; keys: readonly DkimKey[] } | undefined
  return async (domain) => {
    const now = deps.clock.now()
    if (cached?.domain === domain && cached.until > now) return cached.keys
    const keys = await keysOf(deps, domain)
    cached = { domain, until: later(now, keptFor), keys }
    return keys
  }
}

async function keysOf(deps: { db: Db; vault: Vault }, name: string): Promise<DkimKey[]> {
  const holder = await findHolder(deps.db, name)
  const domain = holder && (await findDomain(deps.db, holder.businessId, { name }))
  return domain && maySend(domain) ? signingKeys(deps, domain) : []
}
