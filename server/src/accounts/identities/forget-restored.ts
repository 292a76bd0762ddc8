/**
 * After a restore the refresh tokens of the backup are forgotten. Most were replaced since, so that a
 * provider would take them for stolen ones: it refuses them, and ends those of the installation from
 * which the backup came. People are asked for again from their next sign-in.
 */
import { sql } from '../../lib/db/db.ts'
import type { Database } from '../../lib/db/types.ts'

export function forgetRestoredTokens(db: Database): Promise<void> {
  return db.tx(async (tx) => {
    await tx.run(sql`
      update identities
      set refresh_token = null, check_at = null, asked_at = null, refused_at = null
      where refresh_token is not null
    `)
    await tx.run(sql`
      update provider_sign_ins set refresh_token = null where refresh_token is not null
    `)
  })
}
