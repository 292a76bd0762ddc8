/**
 * A person whom the company's provider refused is held in its businesses: nothing of theirs ends, and
 * each call of their apps, API keys and sessions is refused until they sign in there again, or an owner
 * lets them go on. Their webhooks wait. Where nobody else could do that, nothing is held.
 */
import { withAccessChange } from '../../core/access-changes.ts'
import { formatId, type Id } from '../../core/ids.ts'
import type { Origin } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Sql, Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { later, minutes } from '../../lib/time/clock.ts'

/** A provider by its issuer; that of a business by the business too, as several may use one issuer. */
interface HoldingProvider {
  issuer: string
  providerId: Id<'business'> | null
}

/** What names a provider in a hold. */
const holderOf = ({ issuer, providerId }: HoldingProvider): string => providerId ?? issuer

/** Whether another owner of the business, whose own are not held, could let them go on. */
export async function canHold(
  tx: Tx,
  businessId: Id<'business'>,
  userId: Id<'user'>,
): Promise<boolean> {
  // Two owners who are refused at one moment wait for each other here.
  await tx.one(sql`select id from businesses where id = ${businessId} for no key update`)
  const owner = await tx.maybe(sql`
    select from memberships
    where business_id = ${businessId} and user_id <> ${userId} and role = 'owner'
      and held_at is null
    limit 1
  `)
  return owner !== undefined
}

/** Those of the businesses in which the person is not held already; their owners were told of the others. */
export async function withoutHolds(
  tx: Tx,
  businessIds: readonly Id<'business'>[],
  userId: Id<'user'>,
): Promise<Id<'business'>[]> {
  const rows = await tx.all<{ id: Id<'business'> }>(sql`
    select business_id as id from memberships
    where business_id = any (${businessIds}::uuid[]) and user_id = ${userId} and held_at is null
    order by 1
  `)
  return rows.map(({ id }) => id)
}

interface Holding extends HoldingProvider {
  userId: Id<'user'>
  /** The company account that was refused. */
  subject: string
  now: Date
}

/** A hold that stands is left as it is: another provider's would be lifted by that one. */
export async function holdMember(
  tx: Tx,
  businessIds: readonly Id<'business'>[],
  { userId, subject, now, ...provider }: Holding,
): Promise<void> {
  const holding = sql`
    update memberships
    set held_at = ${now}, held_by = ${holderOf(provider)}, held_subject = ${subject}
    where business_id = any (${businessIds}::uuid[]) and user_id = ${userId} and held_at is null
    returning user_id as subject
  `
  await tx.run(withAccessChange(holding, now))
}

/** An owner lets them go on. Returns false where nothing was held. */
export function releaseMember(
  tx: Tx,
  businessId: Id<'business'>,
  { userId, now, origin }: { userId: Id<'user'>; now: Date; origin: Origin },
): Promise<boolean> {
  const which = sqlWithin`m.business_id = ${businessId} and m.user_id = ${userId}`
  return release(tx, which, { now, origin })
}

/**
 * The provider confirms the person: at a sign-in, or when it is asked. It does by the account that it
 * refused, since whoever has another one at a public provider would lift their own hold.
 */
export function releaseConfirmed(
  tx: Tx,
  { issuer, subject, providerId, now }: HoldingProvider & { subject: string; now: Date },
): Promise<boolean> {
  const holder = holderOf({ issuer, providerId })
  // Another provider or client may be set since: then any account at the one of today counts.
  const which = sqlWithin`
    m.user_id = (
      select user_id from identities where issuer = ${issuer} and subject = ${subject}
    ) and (
      m.held_by = ${holder} and (m.held_subject is null or m.held_subject = ${subject})
        or exists (
          select from identity_providers p
          where p.business_id = m.business_id and p.business_id = ${providerId}
            and (m.held_by <> ${holder} or coalesce(p.provider_since, p.saved_at) > m.held_at)
        )
        or ${providerId}::uuid is null and m.held_by <> ${holder} and not exists (
          select from identity_providers p where p.business_id = m.business_id
        )
    )
  `
  return release(tx, which, { now })
}

/** Nobody stays held there whom a provider refused lately, as it turned out, among most of its people. */
export function releaseRefused(
  tx: Tx,
  businessIds: readonly Id<'business'>[],
  { issuer, providerId, since, now }: HoldingProvider & { since: Date; now: Date },
): Promise<boolean> {
  const which = sqlWithin`
    m.business_id = any (${businessIds}::uuid[])
      and m.held_by = ${holderOf({ issuer, providerId })} and m.held_at > ${since} and m.user_id in (
      select user_id from identities
      where issuer = ${issuer} and provider_id is not distinct from ${providerId}::uuid
        and refused_at > ${since}
    )
  `
  return release(tx, which, { now })
}

async function release(
  tx: Tx,
  which: Sql,
  { now, origin }: { now: Date; origin?: Origin },
): Promise<boolean> {
  const rows = await tx.all<{ businessId: Id<'business'>; userId: Id<'user'> }>(sqlWithin`
    select m.business_id as "businessId", m.user_id as "userId" from memberships m
    where m.held_at is not null and ${which}
    order by 1, 2
    for update
  `)
  if (rows.length === 0) return false
  const entries = rows.map(({ businessId, userId }) => {
    const subject = formatId('user', userId)
    return { businessId, action: 'company.release', subject, origin }
  })
  await recordAudit(tx, entries, now)
  const [businessIds, userIds] = [rows.map((row) => row.businessId), rows.map((row) => row.userId)]
  const releasing = sql`
    update memberships set held_by = null, held_subject = null, held_at = null
    where (business_id, user_id) in (
      select unnest(${businessIds}::uuid[]), unnest(${userIds}::uuid[])
    )
    returning user_id as subject
  `
  await tx.run(withAccessChange(releasing, now))
  for (const row of rows) await queueRightsBack(tx, row, now)
  return true
}

/** Lets webhooks deliver again whose holder has their rights back. `webhooks/` handles it. */
export const rightsBackJob = 'webhook.rights-back'

export interface RightsBack {
  business_id: Id<'business'>
  user_id: Id<'user'>
}

/** A delivery that was claimed before may still pause its webhook, so it is looked for once more. */
const lookAgainAfter = minutes(1)

export async function queueRightsBack(
  tx: Tx,
  { businessId, userId }: { businessId: Id<'business'>; userId: Id<'user'> },
  now: Date,
): Promise<void> {
  const payload: RightsBack = { business_id: businessId, user_id: userId }
  const job = { kind: rightsBackJob, businessId, payload }
  await enqueue(tx, [job, { ...job, dueAt: later(now, lookAgainAfter) }], now)
}
