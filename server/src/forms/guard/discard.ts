import { discardHeld, heldCount } from '../../contacts/consent/form-confirmations.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { choiceInput, chosenHeld } from './choice.ts'

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
