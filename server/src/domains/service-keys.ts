/** How the service's own mail is signed: as the domain in MAIL_FROM is, where it is verified here. */
import { type Clock, later, minutes } from '../platform/clock.ts'
import type { Db } from '../platform/db.ts'
import type { DkimKey } from '../platform/mail/dkim.ts'
import type { Vault } from '../platform/vault.ts'
import { findHolder } from './claim-queries.ts'
import { findDomain } from './read.ts'
import { signingKeys } from './signing-keys.ts'
import { maySend } from './standing.ts'

/** A change of keys leaves the old ones valid for a week. */
const keptFor = minutes(1)

/** Whichever business holds the domain: MAIL_FROM is the operator's word. */
export function createServiceKeys(deps: {
  db: Db
  clock: Clock
  vault: Vault
}): (domain: string) => Promise<readonly DkimKey[]> {
  let known: { domain: string; until: Date; keys: readonly DkimKey[] } | undefined
  return async (domain) => {
    const now = deps.clock.now()
    if (known?.domain === domain && known.until > now) return known.keys
    const keys = await keysOf(deps, domain)
    known = { domain, until: later(now, keptFor), keys }
    return keys
  }
}

async function keysOf(deps: { db: Db; vault: Vault }, name: string): Promise<DkimKey[]> {
  const holder = await findHolder(deps.db, name)
  const domain = holder && (await findDomain(deps.db, holder.businessId, { name }))
  return domain && maySend(domain) ? signingKeys(deps, domain) : []
}
