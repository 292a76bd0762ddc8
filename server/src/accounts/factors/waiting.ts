/**
 * Whoever reads a mailbox can set up the first factor of its person. So where a second factor is asked
 * for, a first one that was set up with the mailbox alone counts after 24 hours, or once an owner who
 * knows the person confirms it. The owners are told by mail.
 */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { hours, later } from '../../lib/time/clock.ts'
import { emailOf } from '../members/user.ts'
import { type FactorNotices, tellOwners } from './notice.ts'

const countsAfter = hours(24)
/**
 * A person who is new has nothing yet that their mailbox alone gives away; a link to a company account
 * that is new says no more than the mailbox.
 */
const newFor = hours(24)

interface AskingBusiness {
  id: Id<'business'>
  name: string
  /** Whether it asks for a factor now: not in its days of grace. */
  isNow: boolean
}

/** What decides whether a first factor waits. */
export interface WaitingDeps {
  notices: FactorNotices
  /** Whether the operator requires a second factor of everybody. */
  isRequired: boolean
  /** The provider of the installation, as it names itself; undefined if there is none. */
  issuer: string | undefined
}

/** Called when a person's first factor was added; the user's row is locked. */
export async function beginWaiting(
  tx: Tx,
  { notices, isRequired, issuer }: WaitingDeps,
  { userId, sessionId, now }: { userId: Id<'user'>; sessionId: Id<'session'>; now: Date },
): Promise<void> {
  const asking = await businessesThatAsk(tx, { userId, isRequired, now })
  if (asking.length === 0) return
  const businesses = asking.filter(({ isNow }) => isNow).map(({ id }) => id)
  const waits = await isByMailbox(tx, { userId, sessionId, businesses, issuer, now })
  const until = waits ? later(now, countsAfter) : null
  await tx.run(sql`update users set factor_waits_until = ${until} where id = ${userId}`)
  const email = (await emailOf(tx, userId)) ?? ''
  for (const { id: businessId } of asking) {
    const event = until ? 'first_factor_waits' : 'first_factor'
    const details = until ? { at: until.toISOString() } : {}
    await tellOwners(tx, notices, { businessId, event, userId, email, details, now })
  }
  if (until) {
    const details = { at: until.toISOString() }
    await notices.queue(tx, { userId, event: 'factor_waits', details, now })
  }
}

/** The businesses of the person that ask for a second factor, or will once their days of grace are over. */
export function businessesThatAsk(
  db: Db,
  { userId, isRequired, now }: { userId: Id<'user'>; isRequired: boolean; now: Date },
): Promise<AskingBusiness[]> {
  return db.all(sql`
    select b.id, b.name,
      ${isRequired} or b.asks_fresh_factor
        or coalesce(b.factor_required_from <= ${now}, false) as "isNow"
    from memberships m join businesses b on b.id = m.business_id
    where m.user_id = ${userId} and b.closed_at is null
      and (${isRequired} or b.asks_fresh_factor or b.factor_required_from is not null)
    order by b.id
  `)
}

/**
 * Whether nothing but the mailbox stands for the person, of an account of before, at one of these
 * businesses. A company account stands for them that was linked at least a day ago, since the mailbox
 * links one, and whose provider is the business's own for the domain of the person, or the
 * installation's: anybody runs a provider for a domain of theirs.
 */
async function isByMailbox(
  db: Db,
  {
    userId,
    sessionId,
    businesses,
    issuer,
    now,
  }: {
    userId: Id<'user'>
    sessionId: Id<'session'>
    businesses: readonly Id<'business'>[]
    issuer: string | undefined
    now: Date
  },
): Promise<boolean> {
  const { isAlone } = await db.one<{ isAlone: boolean }>(sql`
    select exists (
      select from users u, unnest(${businesses}::uuid[]) as asking (id)
      where u.id = ${userId} and u.created_at <= ${later(now, -newFor)}
        and not exists (
          select from sessions s
          join identities i
            on i.issuer = s.issuer and i.subject = s.subject and i.user_id = s.user_id
          where s.id = ${sessionId} and s.user_id = u.id
            and i.created_at <= ${later(now, -newFor)}
            and (
              (i.issuer = ${issuer ?? null}::text and i.provider_id is null)
              or exists (
                select from identity_providers p
                join provider_domains d on d.business_id = p.business_id
                where p.business_id = asking.id and p.issuer = i.issuer
                  and coalesce(i.provider_id, p.business_id) = p.business_id
                  and d.domain = split_part(u.email, '@', 2) and d.proven_at is not null
              )
            )
        )
    ) as "isAlone"
  `)
  return isAlone
}

/** Returns false where nothing waited. */
export async function endWaiting(tx: Tx, userId: Id<'user'>): Promise<boolean> {
  const ended = await tx.run(sql`
    update users set factor_waits_until = null
    where id = ${userId} and factor_waits_until is not null
  `)
  return ended === 1
}
