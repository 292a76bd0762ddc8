/** A person links an account that exists to who they are at a provider, by a sign-in of their own. */
import { refuse } from '../../core/errors.ts'
import { freshFactorLifetime } from '../../core/fresh-factor.ts'
import type { Id } from '../../core/ids.ts'
import type { Vault } from '../../lib/crypto/vault.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import { later, minutes } from '../../lib/time/clock.ts'
import { hasFactor, ownFactors } from '../factors/factor.ts'
import type { FactorNotices } from '../factors/notice.ts'
import { recordOfPerson } from '../factors/own-factor.ts'
import type { Session } from '../sign-in/session.ts'
import { insertIdentity, join } from './arrive.ts'
import { endAnswer, type PendingSignIn } from './attempt.ts'
import { checkOtherWay } from './company-only.ts'
import { domainOf, type Provider } from './provider.ts'
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
    provider,
    now,
    requestId,
  }: { session: Session; provider: Provider; now: Date; requestId: string },
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
    await checkUnchanged(tx, pending, provider)
    await insertIdentity(tx, { issuer, subject, userId, now })
    await keepRefresh(tx, vault, { issuer, subject, providerId: businessId, sealed, now })
    if (businessId && role) {
      await join(tx, { businessId, user, issuer, subject, role, now, requestId })
    }
    await recordOfPerson(tx, { userId, action: 'identity.link', details: { issuer } }, now)
    await notices.queue(tx, { userId, event: 'linked', details: { business: provider.name }, now })
  })
}

/**
 * Throws a refusal if the provider, its domain or its roles are no longer those of the answer, or the
 * company became the only way in.
 */
async function checkUnchanged(
  tx: Tx,
  { businessId, issuer, email, answeredAt }: PendingSignIn,
  provider: Provider,
): Promise<void> {
  if (provider.issuer !== issuer) throw changed()
  await checkOtherWay(tx, { email: email ?? '', providerId: businessId })
  if (businessId === null) return
  const unchanged = await tx.maybe(sql`
    select from identity_providers p join provider_domains d on d.business_id = p.business_id
    where p.business_id = ${businessId} and p.issuer = ${issuer} and p.saved_at <= ${answeredAt}
      and d.domain = ${domainOf(email ?? '')} and d.proven_at is not null
    for share
  `)
  if (!unchanged) throw changed()
}

/**
 * Throws a refusal if the answer, which waited for a second factor, says no more who the person is: the
 * account was unlinked, the provider refused them, or it is another one.
 */
export async function checkStillLinked(
  tx: Tx,
  pending: PendingSignIn & { userId: Id<'user'> },
  provider: Provider,
): Promise<void> {
  const { issuer, subject, userId, answeredAt } = pending
  const identity = await tx.maybe<{ email: string }>(sql`
    select u.email from identities i join users u on u.id = i.user_id
    where i.issuer = ${issuer} and i.subject = ${subject} and i.user_id = ${userId}
      and (i.refused_at is null or i.refused_at < ${answeredAt})
    for share of i
  `)
  if (!identity) throw changed()
  await checkUnchanged(tx, { ...pending, email: identity.email }, provider)
}

const changed = () =>
  refuse('conflict', 'The company sign-in was changed meanwhile. Start again.', {
    data: { reason: 'company_changed' },
    fix: { url: '/login' },
  })
