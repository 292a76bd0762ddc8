/** The second step of a sign-in by mail, for who has an authenticator app or of whom one is required. */
import { refuse } from '../../core/errors.ts'
import { checkCounts } from '../../core/fresh-factor.ts'
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { hasFactor, ownFactors } from './factor.ts'

export interface SecondStep {
  hasApp: boolean
  hasPasskey: boolean
}

/**
 * What the person is asked for after the mail; undefined if nothing. Who has only passkeys is asked
 * for one where a second factor is required, and otherwise signs in by mail as before.
 */
export async function secondStepOf(
  db: Db,
  { userId, isRequired, now }: { userId: Id<'user'>; isRequired: boolean; now: Date },
): Promise<SecondStep | undefined> {
  const own = await ownFactors(db, userId)
  const { hasApp, hasPasskey } = own
  if (hasApp || (hasPasskey && isRequiredNow(own.requiredFrom, { isRequired, now }))) {
    return { hasApp, hasPasskey }
  }
  return undefined
}

/**
 * Throws a refusal if a second factor is required of the person who connects an app, and they have
 * none: they set one up in the app first.
 */
export async function checkMayConnect(
  db: Db,
  {
    userId,
    isRequired,
    now,
    appUrl,
  }: { userId: Id<'user'>; isRequired: boolean; now: Date; appUrl: string },
): Promise<void> {
  const own = await ownFactors(db, userId)
  if (!isRequiredNow(own.requiredFrom, { isRequired, now })) return
  const { waitsUntil } = own
  if (hasFactor(own)) {
    return checkCounts({ ...(waitsUntil && { factorWaitsUntil: waitsUntil }) }, { now, appUrl })
  }
  const text =
    'A second factor is required of you here, and you have none yet. Sign in to Crier, set one up, and connect the app again.'
  const fix = { url: `${appUrl}/confirm` }
  throw refuse('access_denied', text, { data: { reason: 'second_factor' }, fix })
}

function isRequiredNow(
  from: Date | null,
  { isRequired, now }: { isRequired: boolean; now: Date },
): boolean {
  return isRequired || (from !== null && from <= now)
}
