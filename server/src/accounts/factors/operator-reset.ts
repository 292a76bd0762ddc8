/** What the operator does for a person who has lost every factor: see what there is, and reset it. */
import { orThrow, refuse } from '../../core/errors.ts'
import type { Database } from '../../lib/db/types.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { findUserByEmail } from '../members/user.ts'
import { lockUser } from '../members/user-queries.ts'
import { findApp, passkeysIn, recoveryCodesLeft } from './factor.ts'
import { factorNotices } from './notice.ts'
import { recordOfPerson } from './own-factor.ts'
import { removeAll } from './reset.ts'

export interface FactorsOfUser {
  email: string
  passkeys: number
  authenticator_app: boolean
  recovery_codes: number
}

export async function factorsFromOperator(
  db: Database,
  { email: written, reset, now }: { email: string; reset: boolean; now: Date },
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
    return {
      email,
      passkeys: await passkeysIn(tx, user.id),
      authenticator_app: ((await findApp(tx, user.id))?.secret ?? null) !== null,
      recovery_codes: await recoveryCodesLeft(tx, user.id),
    }
  })
}
