/** A person links an account that exists to who they are at a provider, by a sign-in of their own. */
import { refuse } from '../../core/errors.ts'
import { freshFactorLifetime } from '../../core/fresh-factor.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import type { Database, Db } from '../../lib/db/types.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import { hasFactor, ownFactors } from '../factors/factor.ts'
import type { FactorNotices } from '../factors/notice.ts'
import { recordOfPerson } from '../factors/own-factor.ts'
import type { Session } from '../sign-in/session.ts'
import { insertIdentity, join } from './arrive.ts'
import { endAnswer, type PendingSignIn } from './attempt.ts'
import { keepRefresh } from './renew.ts'

/** How long ago the person signed in, at most. */
const signedInWithin = minutes(15)

/** What the person still does before the account is linked; undefined if nothing. */
export async function linkNeeds(
  db: Db,
  { email }: Pick<PendingSignIn, 'email'>,
  { session, now }: { session: Session | undefined; now: Date },
): Promise<'sign_in' | 'factor' | undefined> {
  if (!session || session.user.email !== email) return 'sign_in'
  const { signedInAt, provenAt } = session
  const isFresh = (at: Date | undefined, lifetime: number) =>
    at !== undefined && later(at, lifetime) > now
  if (hasFactor(await ownFactors(db, session.user.id))) {
    return isFresh(provenAt, freshFactorLifetime) ? undefined : 'factor'
  }
  return isFresh(signedInAt, signedInWithin) ? undefined : 'sign_in'
}

export async function linkIdentity(
  {
    db,
    vault,
    notices,
  }: { db: Database; vault: Pick<Vault, 'seal' | 'open'>; notices: FactorNotices },
  pending: PendingSignIn,
  {
    session,
    name,
    now,
    requestId,
  }: { session: Session; name: string; now: Date; requestId: string },
): Promise<void> {
  const { id, businessId, issuer, subject, role, refreshToken: sealed } = pending
  const { user } = session
  const userId = user.id
  if ((await linkNeeds(db, pending, { session, now })) !== undefined) {
    throw refuse('access_denied', 'Sign in again with this address before you link it.', {
      data: { reason: 'sign_in_again' },
      fix: { url: '/login' },
    })
  }
  await db.tx(async (tx) => {
    await endAnswer(tx, id, now)
    await insertIdentity(tx, { issuer, subject, userId, now })
    await keepRefresh(tx, vault, { issuer, subject, providerId: businessId, sealed, now })
    if (businessId && role) await join(tx, { businessId, user, role, now, requestId })
    await recordOfPerson(tx, { userId, action: 'identity.link', details: { issuer } }, now)
    await notices.queue(tx, { userId, event: 'linked', details: { business: name }, now })
  })
}
