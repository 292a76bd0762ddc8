/** Which held confirmations a call is about. */
import {
  type FormOfConfirmations,
  type HeldChoice,
  unknownOf,
} from '../../contacts/consent/form-confirmations.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { findForm, formIdInput, noSuchForm } from '../form.ts'
import { guardLimits } from './limits.ts'

export const choiceInput = {
  form_id: formIdInput,
  confirmation_ids: Type.Optional(
    Type.Array(Type.String({ pattern: '^cnf_[0-9a-hjkmnp-tv-z]{26}$' }), {
      minItems: 1,
      maxItems: guardLimits.heldPerCall,
      uniqueItems: true,
      description: `Of form.held; without them the oldest ${guardLimits.heldPerCall}.`,
    }),
  ),
}

export interface ChosenHeld extends FormOfConfirmations {
  choice: HeldChoice
}

interface ChoiceInput {
  form_id: string
  confirmation_ids?: readonly string[]
}

/** Confirmations that are no longer held are skipped, because two people may work on one list. */
export async function chosenHeld(
  db: Db,
  businessId: Id<'business'>,
  { form_id, confirmation_ids }: ChoiceInput,
): Promise<ChosenHeld> {
  const formId = parseId('form', form_id)
  if (!formId || !(await findForm(db, businessId, formId))) throw noSuchForm(form_id)
  const ids: Id<'confirmation'>[] = []
  for (const text of confirmation_ids ?? []) {
    const id = parseId('confirmation', text)
    if (!id) throw noSuchConfirmation(text)
    ids.push(id)
  }
  const unknown = await unknownOf(db, { businessId, formId }, ids)
  if (unknown) throw noSuchConfirmation(formatId('confirmation', unknown))
  const choice = { ids: confirmation_ids ? ids : null, limit: guardLimits.heldPerCall }
  return { businessId, formId, choice }
}

function noSuchConfirmation(id: string): Refusal {
  return refuse('not_found', `The form has no confirmation ${id}.`, { field: 'confirmation_ids' })
}
