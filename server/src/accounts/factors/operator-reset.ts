/** What the operator does for a person who has lost every factor: see what there is, and reset it. */

import { orThrow, refuse } from '../../core/errors.ts'
import { countsFrom } from '../../core/fresh-factor.ts'
import type { Database } from '../../lib/db/types.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { findUserByEmail } from '../members/user.ts'
import { lockUser } from '../members/user-queries.ts'
import { findApp, ownFactors, passkeysIn, recoveryCodesLeft } from './factor.ts'
import { factorNotices } from './notice.ts'
import { recordOfPerson } from './own-factor.ts'
import { removeAll } from './reset.ts'
import { endWaiting } from './waiting.ts'

export interface FactorsOfUser {
  email: string
  passkeys: number
  authenticator_app: boolean
  recovery_codes: number
  /** From when a new one counts; null where it counts already. */
  counts_from: string | null
}

export async function factorsFromOperator(
  db: Database,
  {
    email: written,
    reset,
    accept = false,
    now,
  }: { email: string; reset: boolean; accept?: boolean; now: Date },
): Promise<FactorsOfUser> {
  const email = orThrow(normaliseEmail(written))
  return db.tx(async (tx) => {
    const user = await findUserByEmail(tx, email)
    if (!user) throw refuse('not_found', `${email} is not a user. See crier users list.`)
    await lockUser(tx, user.id)
    if (reset) {
      await removeAll(tx, user.id)
      const notices = factorNotices(() => {})
      await notices.queue(tx, { userId: user.id, event: 'reset_done', now })
      await recordOfPerson(tx, { userId: user.id, action: 'factor.operator_reset' }, now)
    }
    if (accept && (await endWaiting(tx, user.id))) {
      const notices = factorNotices(() => {})
      await notices.queue(tx, { userId: user.id, event: 'factor_accepted', now })
      await recordOfPerson(tx, { userId: user.id, action: 'factor.accept' }, now)
    }
    const { waitsUntil } = await ownFactors(tx, user.id)
    return {
      email,
      passkeys: await passkeysIn(tx, user.id),
      authenticator_app: ((await findApp(tx, user.id))?.secret ?? null) !== null,
      recovery_codes: await recoveryCodesLeft(tx, user.id),
      counts_from: countsFrom(waitsUntil, now),
    }
  })
}
