import { heldCount, releaseHeld } from '../../contacts/consent/form-confirmations.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { choiceInput, chosenHeld } from './choice.ts'

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

  async run({ db, business, now, write }, input) {
    const chosen = await chosenHeld(db, business.id, input)
    return write(async (tx) => {
      const released = await releaseHeld(tx, chosen, chosen.choice, now)
      return { released, left: await heldCount(tx, chosen) }
    })
  },
})
