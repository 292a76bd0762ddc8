/**
 * The confirmations of one form: how people answer them, and which are held. `forms/guard` uses
 * them to prevent a form from being used to send mail to strangers.
 */
import { type Id, lowestIdAt } from '../../core/ids.ts'
import { highestId } from '../../core/paging.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/job.ts'
import { endConfirmation } from './confirm.ts'
import { type ConfirmationPayload, confirmationMailJob } from './confirmation.ts'

export function responseOf(db: Db, form: FormOfConfirmations, sample: Sample): Promise<Response> {
  return countResponse(db, form, sample)
}

/** Counts the held confirmations: all of them, or those held after a moment. */
export async function heldCount(
  db: Db,
  form: FormOfConfirmations,
  heldAfter: Date | null = null,
): Promise<number> {
  const { held: count } = await countHeld(db, form, heldAfter)
  return count
}

export function heldOf(
  db: Db,
  form: FormOfConfirmations,
  page: HeldPage,
): Promise<HeldConfirmation[]> {
  return listHeld(db, form, page)
}

/** The first of the ids that is not a confirmation of the form. */
export async function unknownOf(
  db: Db,
  form: FormOfConfirmations,
  ids: readonly Id<'confirmation'>[],
): Promise<Id<'confirmation'> | undefined> {
  const ofForm = new Set((await findOfForm(db, form, ids)).map(({ id }) => id))
  return ids.find((id) => !ofForm.has(id))
}

/** Queues the mails of held confirmations. The limits on mail to one address still apply. */
export async function releaseHeld(
  tx: Tx,
  form: FormOfConfirmations,
  choice: HeldChoice,
  now: Date,
): Promise<number> {
  const { businessId } = form
  const ids = (await lockHeld(tx, form, choice)).map(({ id }) => id)
  if (ids.length === 0) return 0
  await markReleased(tx, businessId, ids, now)
  const jobs = ids.map((id) => {
    const payload: ConfirmationPayload = { business_id: businessId, confirmation_id: id }
    return { kind: confirmationMailJob, businessId, payload }
  })
  await enqueue(tx, jobs, now)
  return ids.length
}

/** Ends held confirmations without a mail; contacts known for nothing else are deleted. */
export async function discardHeld(
  tx: Tx,
  form: FormOfConfirmations,
  choice: HeldChoice,
  now: Date,
): Promise<number> {
  const confirmations = await lockHeld(tx, form, choice)
  for (const { id } of confirmations) {
    await endConfirmation(tx, { businessId: form.businessId, id }, now)
  }
  return confirmations.length
}

export interface FormOfConfirmations {
  businessId: Id<'business'>
  formId: Id<'form'>
}

/** How people answered the newest confirmations of a form that are not held. */
export interface Response {
  requests: number
  confirmed: number
  /** Confirmations that were mailed so long ago that there was time to answer. */
  mailedLongAgo: number
  /** How many of those were answered in time. */
  answeredInTime: number
}

interface Sample {
  /** Counts confirmations that were requested after this moment. */
  since: Date
  /** Confirmations that were mailed before this moment had time to be answered. */
  mailedBefore: Date
  /** The time after its mail within which a confirmation is answered in time, in milliseconds. */
  answerMs: number
  /** The most confirmations that are counted, the newest first. */
  limit: number
}

interface HeldConfirmation {
  id: Id<'confirmation'>
  contactId: Id<'contact'>
  address: string
  /** Whether no challenge was solved; otherwise too many mails had been sent that hour. */
  unproven: boolean
  askedAt: Date
  heldAt: Date
}

interface HeldPage {
  before: Id<'confirmation'> | null
  limit: number
}

/** Which held confirmations a call is about; the oldest ones if `ids` is null. */
export interface HeldChoice {
  ids: readonly Id<'confirmation'>[] | null
  limit: number
}

/** Confirmations of a business that are looked at for those of one app. */
const lookedAt = 5_000

/**
 * How people answered the newest confirmations that one connected app asked for by forms, whichever
 * they were. None of what a program with a key fills in.
 */
export function responseOfApp(
  db: Db,
  { businessId, connectionId }: { businessId: Id<'business'>; connectionId: Id<'connection'> },
  { since, mailedBefore, answerMs, limit }: Sample,
): Promise<Response> {
  return db.one(sql`
    select count(*) as requests, count(confirmed_at) as confirmed,
      count(*) filter (where mailed_at <= ${mailedBefore}) as "mailedLongAgo",
      count(*) filter (where mailed_at <= ${mailedBefore}
        and confirmed_at <= mailed_at + ${answerMs}::bigint * interval '1 millisecond'
      ) as "answeredInTime"
    from (
      select newest.mailed_at, newest.confirmed_at from (
        select id, connection_id, form_id, held_at, mailed_at, confirmed_at from confirmations
        where business_id = ${businessId} and id >= ${lowestIdAt('confirmation', since)}
        order by id desc limit ${lookedAt}
      ) newest
      join connections c on c.id = newest.connection_id and c.client_id is not null
      where newest.connection_id = ${connectionId} and newest.form_id is not null
        and newest.held_at is null
      order by newest.id desc limit ${limit}
    ) own
  `)
}

/** Held confirmations do not count, because nobody could have answered them. */
function countResponse(
  db: Db,
  { businessId, formId }: FormOfConfirmations,
  { since, mailedBefore, answerMs, limit }: Sample,
): Promise<Response> {
  return db.one(sql`
    select count(*) as requests, count(confirmed_at) as confirmed,
      count(*) filter (where mailed_at <= ${mailedBefore}) as "mailedLongAgo",
      count(*) filter (where mailed_at <= ${mailedBefore}
        and confirmed_at <= mailed_at + ${answerMs}::bigint * interval '1 millisecond'
      ) as "answeredInTime"
    from (
      select mailed_at, confirmed_at from confirmations
      where business_id = ${businessId} and form_id = ${formId} and created_at > ${since}
        and held_at is null
      order by created_at desc limit ${limit}
    ) newest
  `)
}

function countHeld(
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
function listHeld(
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
function findOfForm(
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
function lockHeld(
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

function markReleased(
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
