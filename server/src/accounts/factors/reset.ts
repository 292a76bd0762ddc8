/**
 * An owner resets the factors of a member who has lost them all. Both are told by mail, and it
 * happens after 24 hours, or at once when a second owner confirms; the member can stop it.
 */
import { refuse } from '../../core/errors.ts'
import { type Id, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { sql } from '../../lib/db/db.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import { enqueue, type Job, type JobKinds } from '../../lib/jobs/job.ts'
import { Type } from '../../lib/schema/schema.ts'
import { type Clock, hours, later, seconds } from '../../lib/time/clock.ts'
import { roleOf } from '../businesses/memberships.ts'
import { emailOf } from '../members/user.ts'
import { lockUser } from '../members/user-queries.ts'
import type { FactorDeps } from './authenticator-app.ts'
import { hasFactor, ownFactors, removeFactors } from './factor.ts'
import type { FactorNotices } from './notice.ts'
import { checkOwnFactor } from './own-factor.ts'

const resetAfter = hours(24)
const resetJob = 'people.factor-reset'
const retryDelays = [seconds(30), seconds(300), hours(1)]

interface Reset {
  businessId: Id<'business'>
  userId: Id<'user'>
  askedBy: Id<'user'>
  dueAt: Date
}

type Member = Pick<Reset, 'businessId' | 'userId'>

export function factorReset({ notices, isRequired }: Pick<FactorDeps, 'notices' | 'isRequired'>) {
  return operation({
    name: 'factor.reset',
    title: 'Reset a member’s second factor',
    summary:
      'Removes the passkeys, authenticator app and recovery codes of a member, after 24 hours, or at once when a second owner calls it. Both are told by mail.',
    reach: 'business',
    scope: 'meta:read',
    role: 'owner',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'A second factor is reset',
    freshFactor: 'members',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'POST /v1/members/:user_id/factors/reset',
    input: { user_id: Type.String({ description: 'usr_…' }) },
    output: Type.Object({
      status: Type.Enum(['waiting', 'done']),
      due_at: Type.Union([Type.String(), Type.Null()]),
    }),

    async run(context, { user_id }) {
      await checkOwnFactor(context)
      const { db, business, principal, now, write, origin } = context
      const userId = parseId('user', user_id)
      if (!userId || (await roleOf(db, business.id, userId)) === undefined) {
        throw noSuchMember(user_id)
      }
      if (userId === principal.userId) throw ownFactorsStay()
      const member = { businessId: business.id, userId }
      return write(async (tx) => {
        await lockUser(tx, userId)
        await checkMayReset(tx, { ...member, isRequired })
        const entry = { businessId: business.id, action: 'factor.reset', subject: user_id, origin }
        const existing = await findReset(tx, member)
        if (existing?.askedBy === principal.userId) {
          return { status: 'waiting' as const, due_at: existing.dueAt.toISOString() }
        }
        if (existing) {
          await resetNow(tx, notices, { reset: existing, now })
          await recordAudit(tx, [{ ...entry, details: { status: 'done' } }], now)
          return { status: 'done' as const, due_at: null }
        }
        const reset = { ...member, askedBy: principal.userId, dueAt: later(now, resetAfter) }
        await insertReset(tx, reset, now)
        const { dueAt } = reset
        const job = {
          kind: resetJob,
          businessId: reset.businessId,
          payload: payloadOf(reset),
          dueAt,
        }
        await enqueue(tx, [job], now)
        await tellBoth(tx, notices, { reset, business: business.name, now })
        await recordAudit(tx, [{ ...entry, details: { status: 'waiting' } }], now)
        return { status: 'waiting' as const, due_at: reset.dueAt.toISOString() }
      })
    },
  })
}

/**
 * Another business that requires a factor must not lose it by the word of this one's owner. Where the
 * operator requires one of everybody, each business does.
 */
async function checkMayReset(
  tx: Tx,
  { businessId, userId, isRequired }: Member & { isRequired: boolean },
): Promise<void> {
  if (!hasFactor(await ownFactors(tx, userId))) {
    throw refuse('conflict', 'This member has no second factor.', { data: { reason: 'no_factor' } })
  }
  const { elsewhere } = await tx.one<{ elsewhere: boolean }>(sql`
    select exists (
      select from memberships m join businesses b on b.id = m.business_id
      where m.user_id = ${userId} and m.business_id <> ${businessId}
        and (
          b.factor_required_from is not null or b.asks_fresh_factor
          or (${isRequired} and b.closed_at is null)
        )
    ) as elsewhere
  `)
  if (!elsewhere) return
  const text =
    'Another business of this member requires a second factor too, so only the operator resets it: crier users factors EMAIL --reset.'
  throw refuse('conflict', text, { data: { reason: 'reset_by_operator' } })
}

/** Removes all factors of the person, and ends their sessions. */
export async function removeAll(tx: Tx, userId: Id<'user'>): Promise<void> {
  await removeFactors(tx, userId)
  await tx.run(sql`delete from sessions where user_id = ${userId}`)
  await tx.run(sql`delete from factor_resets where user_id = ${userId}`)
}

async function resetNow(
  tx: Tx,
  notices: FactorNotices,
  { reset, now }: { reset: Reset; now: Date },
): Promise<void> {
  const { userId, askedBy } = reset
  await removeAll(tx, userId)
  const details = { email: (await emailOf(tx, userId)) ?? '' }
  await notices.queue(tx, { userId, event: 'reset_done', now })
  await notices.queue(tx, { userId: askedBy, event: 'reset_done_by_you', details, now })
}

async function tellBoth(
  tx: Tx,
  notices: FactorNotices,
  { reset, business, now }: { reset: Reset; business: string; now: Date },
): Promise<void> {
  const { userId, askedBy, dueAt } = reset
  const both = { business, at: dueAt.toISOString() }
  const [owner = '', member = ''] = [await emailOf(tx, askedBy), await emailOf(tx, userId)]
  const details = { ...both, email: owner }
  await notices.queue(tx, { userId, event: 'reset_asked', details, now })
  const own = { ...both, email: member }
  await notices.queue(tx, { userId: askedBy, event: 'reset_asked_by_you', details: own, now })
}

function findReset(db: Db, { businessId, userId }: Member): Promise<Reset | undefined> {
  return db.maybe(sql`
    select business_id as "businessId", user_id as "userId", asked_by as "askedBy", due_at as "dueAt"
    from factor_resets where business_id = ${businessId} and user_id = ${userId}
    for update
  `)
}

function insertReset(tx: Tx, reset: Reset, now: Date): Promise<number> {
  return tx.run(sql`
    insert into factor_resets (business_id, user_id, asked_by, asked_at, due_at)
    values (${reset.businessId}, ${reset.userId}, ${reset.askedBy}, ${now}, ${reset.dueAt})
  `)
}

interface ResetPayload {
  business_id: Id<'business'>
  user_id: Id<'user'>
}

const payloadOf = ({ businessId, userId }: Member): ResetPayload => ({
  business_id: businessId,
  user_id: userId,
})

export function factorResetJobs({
  db,
  clock,
  notices,
}: {
  db: Database
  clock: Clock
  notices: FactorNotices
}): JobKinds {
  return {
    [resetJob]: {
      retryDelays,
      timeoutMs: seconds(60),
      async run(job) {
        const { payload } = job as Job<ResetPayload>
        const member = { businessId: payload.business_id, userId: payload.user_id }
        const now = clock.now()
        await db.tx(async (tx) => {
          await lockUser(tx, member.userId)
          const reset = await findReset(tx, member)
          if (!reset || reset.dueAt > now) return
          // Both may have left, or the owner may be one no more.
          const isOwner = (await roleOf(tx, member.businessId, reset.askedBy)) === 'owner'
          const isMember = (await roleOf(tx, member.businessId, member.userId)) !== undefined
          if (isOwner && isMember) await resetNow(tx, notices, { reset, now })
          await tx.run(sql`
            delete from factor_resets
            where business_id = ${member.businessId} and user_id = ${member.userId}
          `)
        })
      },
    },
  }
}

const noSuchMember = (id: string) =>
  refuse('not_found', `The business has no member ${id}.`, { field: 'user_id' })

const ownFactorsStay = () =>
  refuse(
    'conflict',
    'Your own factors are changed under Sessions. If you have lost them all, another owner or the operator resets them.',
    { field: 'user_id', data: { reason: 'own_factors' } },
  )
