/** Statements about whether a form is guarded. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'

export interface GuardState {
  name: string
  guardedSince: Date | null
  /** When the guarding ended; null while it lasts. */
  guardedUntil: Date | null
}

/** Reads the form's guard state, and locks it until the transaction ends. */
export function lockGuard(
  tx: Tx,
  businessId: Id<'business'>,
  formId: Id<'form'>,
): Promise<GuardState | undefined> {
  return tx.maybe(sql`
    select name, guarded_since as "guardedSince", guarded_until as "guardedUntil" from forms
    where business_id = ${businessId} and id = ${formId} for no key update
  `)
}

export function findGuard(
  db: Db,
  businessId: Id<'business'>,
  formId: Id<'form'>,
): Promise<GuardState | undefined> {
  return db.maybe(sql`
    select name, guarded_since as "guardedSince", guarded_until as "guardedUntil" from forms
    where business_id = ${businessId} and id = ${formId}
  `)
}

export function setGuard(
  tx: Tx,
  businessId: Id<'business'>,
  formId: Id<'form'>,
  { since, until }: { since: Date; until: Date | null },
): Promise<number> {
  return tx.run(sql`
    update forms set guarded_since = ${since}, guarded_until = ${until}
    where business_id = ${businessId} and id = ${formId}
  `)
}
