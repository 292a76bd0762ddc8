/** Who changes their factors, or what leads to them, proves one they have: the mailbox is not enough. */
import { refuse } from '../../core/errors.ts'
import { checkProof } from '../../core/fresh-factor.ts'
import type { Id } from '../../core/ids.ts'
import { formatId } from '../../core/ids.ts'
import type { PersonContext } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'
import { hasFactor, ownFactors } from './factor.ts'

export async function checkOwnFactor({
  db,
  principal,
  now,
  appUrl,
}: Pick<PersonContext, 'db' | 'principal' | 'now' | 'appUrl'>): Promise<void> {
  if (hasFactor(await ownFactors(db, principal.userId))) {
    checkProof(principal, { now, appUrl, act: 'Your sign-in methods are changed' })
  }
}

/** Throws a refusal if nothing is left of what a business asks for. The user's row is locked. */
export async function checkFactorLeft(
  tx: Tx,
  { userId, isRequired }: { userId: Id<'user'>; isRequired: boolean },
): Promise<void> {
  const left = await ownFactors(tx, userId)
  if (hasFactor(left)) return
  if (isRequired || left.requiredFrom !== null) {
    const text =
      'This is the last second factor that you have, and one is required. Add another first.'
    throw refuse('conflict', text, { data: { reason: 'last_factor' } })
  }
  await tx.run(sql`delete from recovery_codes where user_id = ${userId}`)
}

/** Records what a person did to their factors, in the audit log of each of their businesses. */
export async function recordOfPerson(
  tx: Tx,
  {
    userId,
    action,
    origin,
    details,
  }: {
    userId: Id<'user'>
    action: string
    origin?: PersonContext['origin']
    details?: Record<string, string | number | boolean | null>
  },
  now: Date,
): Promise<void> {
  const rows = await tx.all<{ businessId: Id<'business'> }>(sql`
    select business_id as "businessId" from memberships where user_id = ${userId}
    order by business_id
  `)
  const entry = { action, subject: formatId('user', userId), userId, ...(details && { details }) }
  await recordAudit(
    tx,
    rows.map(({ businessId }) => ({ businessId, ...entry, ...(origin && { origin }) })),
    now,
  )
}
