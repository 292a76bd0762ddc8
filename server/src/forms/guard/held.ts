import {
  discardHeld,
  type FormOfConfirmations,
  type HeldChoice,
  heldCount,
  heldOf,
  releaseHeld,
  unknownOf,
} from '../../contacts/consent/form-confirmations.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, type Id, parseId } from '../../core/ids.ts'
import { type BusinessContext, isConnection, operation } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { untrusted } from '../../core/untrusted.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { countAttempt } from '../../lib/rate-limit/attempts.ts'
import { Type } from '../../lib/schema/schema.ts'
import { days } from '../../lib/time/clock.ts'
import { findForm, formIdInput, noSuchForm } from '../form.ts'
import { guardLimits } from './limits.ts'

export const formHeld = operation({
  name: 'form.held',
  title: 'List held confirmations',
  area: 'forms',
  summary:
    'The confirmation mails that a guarded form holds back, newest first, and how many. form.release sends them, form.discard ends them. Free, changes nothing.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/forms/:form_id/held',
  input: { form_id: formIdInput, ...pageInput },
  output: Type.Object({
    held: Type.Array(
      Type.Object({
        confirmation_id: Type.String(),
        contact_id: Type.String(),
        reason: Type.Enum(['challenge', 'rate']),
        asked_at: Type.String({ description: 'ISO 8601, UTC.' }),
        held_at: Type.String({ description: 'ISO 8601, UTC.' }),
        untrusted: untrusted({ email: Type.String() }),
      }),
    ),
    total: Type.Integer(),
    next_cursor: nextCursor,
  }),

  async run({ db, business }, { form_id, ...paging }) {
    const formId = parseId('form', form_id)
    const form = formId && (await findForm(db, business.id, formId))
    if (!form) throw noSuchForm(form_id)
    const page = pageOf('confirmation', paging)
    const formKey = { businessId: business.id, formId: form.id }
    const [rows, total] = await Promise.all([heldOf(db, formKey, page), heldCount(db, formKey)])
    const { shown: pageRows, next } = pageFrom('confirmation', rows, page, viewOf)
    return { held: pageRows.map(viewOf), total, ...next }
  },
})

function viewOf(row: Awaited<ReturnType<typeof heldOf>>[number]) {
  return {
    confirmation_id: formatId('confirmation', row.id),
    contact_id: formatId('contact', row.contactId),
    reason: row.unproven ? ('challenge' as const) : ('rate' as const),
    asked_at: row.askedAt.toISOString(),
    held_at: row.heldAt.toISOString(),
    untrusted: { email: row.address },
  }
}

/** Which held confirmations a call is about. */
const choiceInput = {
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

export const formRelease = operation({
  name: 'form.release',
  title: 'Release held confirmations',
  area: 'forms',
  summary:
    'Send the confirmation mails that a guarded form holds, at most 200 a call; to one address go at most one a day and three a week all the same. Look at form.held first: strangers may have been signed up.',
  reach: 'business',
  scope: 'forms:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/forms/:form_id/held/release',
  input: choiceInput,
  output: Type.Object({
    released: Type.Integer(),
    left: Type.Integer(),
  }),

  async run(context, input) {
    const { db, business, now, principal, write } = context
    const chosen = await chosenHeld(db, business.id, input)
    return write(async (tx) => {
      const released = await releaseHeld(tx, chosen, chosen.choice, now)
      if (isConnection(principal)) await countReleased(tx, context, { released, input })
      return { released, left: await heldCount(tx, chosen) }
    })
  },
})

interface Released {
  released: number
  input: { form_id: string }
}

/** Counts them for the connection, whose simultaneous calls wait for each other here. */
async function countReleased(
  tx: Tx,
  context: BusinessContext,
  { released, input }: Released,
): Promise<void> {
  const { business, principal, hmac, now } = context
  const attempt = {
    purpose: 'form.release',
    subject: `${business.id} ${principal.connectionId}`,
    limit: guardLimits.releasedPerDay,
    windowMs: days(1),
    now,
  }
  for (let n = 0; n < released; n++) {
    if (await countAttempt(tx, { hmac }, attempt)) throw releaseByPerson(context, input.form_id)
  }
}

/** Strangers may have been signed up by thousands, and have told an assistant to release them. */
function releaseByPerson({ appUrl, business }: BusinessContext, form_id: string): Refusal {
  const url = `${appUrl}/b/${formatId('business', business.id)}/forms/${form_id}`
  const text = `A connection releases at most ${guardLimits.releasedPerDay} held confirmations of the business in 24 hours. A person looks at them and releases more in the app: ${url}.`
  return refuse('access_denied', text, {
    field: 'confirmation_ids',
    data: { reason: 'release_by_person', limit: guardLimits.releasedPerDay },
    fix: { url },
  })
}

export const formDiscard = operation({
  name: 'form.discard',
  title: 'Discard held confirmations',
  area: 'forms',
  summary:
    'End the confirmations that a guarded form holds, at most 200 a call, without a mail. People who are known for nothing else are deleted.',
  reach: 'business',
  scope: 'forms:write',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/forms/:form_id/held/discard',
  input: choiceInput,
  output: Type.Object({
    discarded: Type.Integer(),
    left: Type.Integer(),
  }),

  async run({ db, business, now, write }, input) {
    const chosen = await chosenHeld(db, business.id, input)
    return write(async (tx) => {
      const discarded = await discardHeld(tx, chosen, chosen.choice, now)
      return { discarded, left: await heldCount(tx, chosen) }
    })
  },
})

interface ChosenHeld extends FormOfConfirmations {
  choice: HeldChoice
}

interface ChoiceInput {
  form_id: string
  confirmation_ids?: readonly string[]
}

/** Confirmations that are no longer held are skipped, because two people may work on one list. */
async function chosenHeld(
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
