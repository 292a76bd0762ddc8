/** A domain whose mail is signed with RSA-2048, as if its DNS records had been verified. */

import { type Id, newId } from '../../server/src/core/ids.ts'
import { openVault } from '../../server/src/core/installation/root-key.ts'
import { installationSecret } from '../../server/src/lib/crypto/vault.ts'
import { sql } from '../../server/src/lib/db/db.ts'
import type { Database } from '../../server/src/lib/db/types.ts'
import { makeKeys } from '../../server/src/sender-domains/keys/key-pair.ts'

export async function signedDomain(
  db: Database,
  dataDir: string,
  { businessId, name }: { businessId: Id<'business'>; name: string },
): Promise<void> {
  const id = newId('domain')
  const vault = await openVault(db, installationSecret(dataDir), new Date())
  const { rsa } = await makeKeys(vault, id, { slot: 1, ed25519: false })
  const now = new Date()
  await db.run(sql`
    insert into domains (business_id, id, name, registrable, status, passes, misses,
      held_elsewhere, verified_at, next_check_at, report, revision, created_at, updated_at)
    values (${businessId}, ${id}, ${name}, ${name}, 'verified', 2, 0, false, ${now},
      '2100-01-01T00:00:00Z', '{}', 1, ${now}, ${now})
  `)
  await db.run(sql`
    insert into domain_keys (business_id, domain_id, slot, state, rsa_public, rsa_private,
      ttl_seconds, created_at)
    values (${businessId}, ${id}, 1, 'active', ${rsa.publicKey}, ${rsa.sealedPrivate}, 300, ${now})
  `)
  await db.run(sql`
    insert into domain_claims (name, domain_id, degraded, claimed_at)
    values (${name}, ${id}, false, ${now})
    on conflict (name) do update set domain_id = excluded.domain_id
  `)
}
