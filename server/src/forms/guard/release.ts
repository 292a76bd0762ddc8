import { heldCount, releaseHeld } from '../../contacts/consent/form-confirmations.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId } from '../../core/ids.ts'
import { type BusinessContext, isConnection, operation } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { countAttempt } from '../../lib/rate-limit/attempts.ts'
import { Type } from '../../lib/schema/schema.ts'
import { days } from '../../lib/time/clock.ts'
import { choiceInput, chosenHeld } from './choice.ts'
import { guardLimits } from './limits.ts'

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
