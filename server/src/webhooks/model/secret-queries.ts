/** Statements that write secrets. The code that begins deliveries reads them. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { SealedSecret } from './secrets.ts'

export function insertSecret(
  tx: Tx,
  businessId: Id<'business'>,
  secret: SealedSecret,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    insert into webhook_secrets (business_id, webhook_id, version, sealed, created_at)
    values (${businessId}, ${secret.webhookId}, ${secret.version}, ${secret.sealed}, ${now})
  `)
}

/** The newest version. The caller has locked the subscription. */
export function lastVersion(
  tx: Tx,
  businessId: Id<'business'>,
  webhookId: Id<'webhook'>,
): Promise<{ version: number }> {
  return tx.one(sql`
    select max(version) as version from webhook_secrets
    where business_id = ${businessId} and webhook_id = ${webhookId}
  `)
}

/** Lets the newest secret sign until `until`. Earlier secrets expire at once. */
export function expireSecrets(
  tx: Tx,
  businessId: Id<'business'>,
  webhookId: Id<'webhook'>,
  last: { version: number; until: Date },
): Promise<number> {
  return tx.run(sql`
    with ended as (
      delete from webhook_secrets
      where business_id = ${businessId} and webhook_id = ${webhookId}
        and version < ${last.version}
    )
    update webhook_secrets set expires_at = ${last.until}
    where business_id = ${businessId} and webhook_id = ${webhookId} and version = ${last.version}
  `)
}
