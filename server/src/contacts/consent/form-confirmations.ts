/**
 * The confirmations of one form: how people answer them, and which are held. `forms/guard` uses
 * them to prevent a form from being used to send mail to strangers.
 */
import type { Id } from '../../core/ids.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { enqueue } from '../../lib/jobs/enqueue.ts'
import { type ConfirmationPayload, confirmationMailJob } from '../model/ask-for-confirmation.ts'
import {
  countHeld,
  countResponse,
  findOfForm,
  listHeld,
  lockHeld,
  markReleased,
} from '../model/form-confirmation-queries.ts'
import type {
  FormOfConfirmations,
  HeldChoice,
  HeldConfirmation,
  HeldPage,
  Response,
  Sample,
} from '../model/form-response.ts'
import { endConfirmation } from './confirm.ts'

export function responseOf(db: Db, form: FormOfConfirmations, sample: Sample): Promise<Response> {
  return countResponse(db, form, sample)
}

/** Counts the held confirmations: all of them, or those held after a moment. */
export async function heldCount(
  db: Db,
  form: FormOfConfirmations,
  heldAfter: Date | null = null,
): Promise<number> {
  const { held } = await countHeld(db, form, heldAfter)
  return held
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
  const known = new Set((await findOfForm(db, form, ids)).map(({ id }) => id))
  return ids.find((id) => !known.has(id))
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
    return { kind: confirmationMailJob, lane: businessId, payload }
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
  const held = await lockHeld(tx, form, choice)
  for (const { id } of held) {
    await endConfirmation(tx, { businessId: form.businessId, id }, now)
  }
  return held.length
}
