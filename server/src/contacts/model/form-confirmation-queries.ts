/** Statements about the confirmations of one form: how they are answered, and which are held. */
import type { Id } from '../../core/ids.ts'
import { highestId } from '../../core/paging.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type {
  FormOfConfirmations,
  HeldChoice,
  HeldConfirmation,
  HeldPage,
  Response,
  Sample,
} from './form-response.ts'

/** Held confirmations do not count, because nobody could have answered them. */
export function countResponse(
  db: Db,
  { businessId, formId }: FormOfConfirmations,
  { since, mailedBefore, answerMs, most }: Sample,
): Promise<Response> {
  return db.one(sql`
    select count(*) as asked, count(confirmed_at) as confirmed,
      count(*) filter (where mailed_at <= ${mailedBefore}) as "mailedLongAgo",
      count(*) filter (where mailed_at <= ${mailedBefore}
        and confirmed_at <= mailed_at + ${answerMs}::bigint * interval '1 millisecond'
      ) as "answeredInTime"
    from (
      select mailed_at, confirmed_at from confirmations
      where business_id = ${businessId} and form_id = ${formId} and created_at > ${since}
        and held_at is null
      order by created_at desc limit ${most}
    ) newest
  `)
}

export function countHeld(
  db: Db,
  { businessId, formId }: FormOfConfirmations,
  heldAfter: Date | null,
): Promise<{ held: number }> {
  return db.one(sql`
    select count(*) as held from confirmations
    where business_id = ${businessId} and form_id = ${formId} and held_at is not null
      and confirmed_at is null and ended_at is null
      and (${heldAfter}::timestamptz is null or held_at > ${heldAfter})
  `)
}

/** Lists held confirmations, highest id first, like every list. */
export function listHeld(
  db: Db,
  { businessId, formId }: FormOfConfirmations,
  { before, limit }: HeldPage,
): Promise<HeldConfirmation[]> {
  return db.all(sql`
    select id, contact_id as "contactId", address, unproven, asked_at as "askedAt",
      held_at as "heldAt"
    from confirmations
    where business_id = ${businessId} and form_id = ${formId} and held_at is not null
      and confirmed_at is null and ended_at is null and id < ${before ?? highestId}
    order by id desc limit ${limit}
  `)
}

/** Which of the ids are confirmations of the form, whatever their state. */
export function findOfForm(
  db: Db,
  { businessId, formId }: FormOfConfirmations,
  ids: readonly Id<'confirmation'>[],
): Promise<{ id: Id<'confirmation'> }[]> {
  return db.all(sql`
    select id from confirmations
    where business_id = ${businessId} and id = any(${ids}::uuid[]) and form_id = ${formId}
  `)
}

/** Locks and returns the held confirmations among these ids, or the oldest ones if ids is null. */
export function lockHeld(
  tx: Tx,
  { businessId, formId }: FormOfConfirmations,
  { ids, limit }: HeldChoice,
): Promise<{ id: Id<'confirmation'> }[]> {
  return tx.all(sql`
    select id from confirmations
    where business_id = ${businessId} and form_id = ${formId} and held_at is not null
      and confirmed_at is null and ended_at is null
      and (${ids}::uuid[] is null or id = any(${ids}::uuid[]))
    order by id limit ${limit} for update
  `)
}

export function markReleased(
  tx: Tx,
  businessId: Id<'business'>,
  ids: readonly Id<'confirmation'>[],
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update confirmations set held_at = null, released_at = ${now}
    where business_id = ${businessId} and id = any(${ids}::uuid[])
  `)
}

/** Holds a confirmation, unless its mail was sent already. */
export function markHeld(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update confirmations set held_at = coalesce(held_at, ${now})
    where business_id = ${businessId} and id = ${id} and mailed_at is null
  `)
}
