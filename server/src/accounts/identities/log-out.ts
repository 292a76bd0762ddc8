/** A provider says that a person has signed out there, or was shut out: their sessions end here too. */

import type { Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database } from '../../lib/db/types.ts'
import { countAttempt, networkOf } from '../../lib/rate-limit/attempts.ts'
import { minutes } from '../../lib/time/clock.ts'
import { recordOfPerson } from '../factors/own-factor.ts'
import type { Provider } from './provider.ts'
import type { RelyingParty } from './relying-party.ts'

/** Logout tokens of one network in a quarter of an hour: each checks a signature. */
const perNetwork = 1_000
const windowMs = minutes(15)

/** Ends the sessions that the token names; returns how many those were. */
export async function logOut(
  { db, vault, party }: { db: Database; vault: Pick<Vault, 'hmac'>; party: RelyingParty },
  { provider, token, from, now }: { provider: Provider; token: string; from: string; now: Date },
): Promise<number> {
  const attempt = { purpose: 'provider-logout', subject: networkOf(from), limit: perNetwork }
  const tooMany = await countAttempt(db, vault, { ...attempt, windowMs, now })
  if (tooMany) throw tooMany
  const { subject = null, session = null } = await party.endedSession(provider, token)
  return db.tx(async (tx) => {
    const ended = await tx.all<{ userId: Id<'user'> }>(sql`
      delete from sessions
      where issuer = ${provider.issuer}
        and (${subject}::text is null or subject = ${subject})
        and (${session}::text is null or provider_session = ${session})
      returning user_id as "userId"
    `)
    // Nor does an answer sign in that waits for a second factor, or to be linked.
    await tx.run(sql`
      update provider_sign_ins set ended_at = ${now}
      where issuer = ${provider.issuer} and ended_at is null
        and (${subject}::text is null or subject = ${subject})
        and (${session}::text is null or provider_session = ${session})
    `)
    for (const userId of new Set(ended.map((row) => row.userId))) {
      await recordOfPerson(tx, { userId, action: 'company.log_out' }, now)
    }
    return ended.length
  })
}
