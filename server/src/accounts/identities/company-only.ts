/**
 * A business may let the people of its proven domains sign in at its provider alone. One passkey of an
 * owner still counts, for when the provider is down, and so does a link that the operator prints.
 */
import { refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { domainOf } from './provider.ts'

interface OnlyWay {
  businessId: Id<'business'>
  passkey: Id<'passkey'>
}

function onlyWayOf(db: Db, email: string): Promise<OnlyWay | undefined> {
  return db.maybe(sql`
    select p.business_id as "businessId", p.break_glass_passkey as passkey
    from provider_domains d
    join identity_providers p on p.business_id = d.business_id
    join businesses b on b.id = p.business_id
    where d.domain = ${domainOf(email)} and d.proven_at is not null and p.is_only
      and b.closed_at is null
  `)
}

/** Whether the people of this address sign in at their company alone. */
export async function isCompanyOnly(db: Db, email: string): Promise<boolean> {
  return (await onlyWayOf(db, email)) !== undefined
}

interface OtherWay {
  email: string
  passkeyId?: Id<'passkey'>
  /** Whose provider it is; null for that of the installation. */
  providerId?: Id<'business'> | null
}

/**
 * Throws a refusal for a sign-in by mail, by a passkey or at another provider, of somebody who signs in
 * at their company.
 */
export async function checkOtherWay(
  db: Db,
  { email, passkeyId, providerId }: OtherWay,
): Promise<void> {
  const way = await onlyWayOf(db, email)
  if (!way || way.passkey === passkeyId || way.businessId === providerId) return
  throw refuse('access_denied', `People of ${domainOf(email)} sign in at their company alone.`, {
    data: { reason: 'company_only' },
    fix: { url: '/login' },
  })
}

/** Throws a refusal if the passkey is the one that a business keeps for when its provider is down. */
export async function checkNotBreakGlass(db: Db, passkeyId: Id<'passkey'>): Promise<void> {
  const { isKept } = await db.one<{ isKept: boolean }>(sql`
    select exists (
      select from identity_providers where is_only and break_glass_passkey = ${passkeyId}
    ) as "isKept"
  `)
  if (!isKept) return
  const text =
    'Your business keeps this passkey for when its company sign-in is down. Save the company sign-in with another one first.'
  throw refuse('conflict', text, { data: { reason: 'break_glass' } })
}
