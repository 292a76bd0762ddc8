import { limits } from '../config.ts'
import { isRefusal, orRefusal, orThrow, type Refusal } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import { isSimulated } from '../core/inbox/simulated-address.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { messageStates } from './message.ts'
import { emailInputs, prepareEmail, type SendParts } from './prepare-email.ts'
import { saveMessages } from './save.ts'
import { refuseOnce, sendAtView } from './send-input.ts'
import type { MessageToSave, SavedMessage } from './to-save.ts'
import { leavesThisMachine } from './view.ts'

const copyOutcome = Type.Object({
  to: Type.String(),
  message_id: Type.Optional(Type.String()),
  status: Type.Optional(Type.Enum(messageStates)),
  duplicate: Type.Optional(Type.Boolean()),
  error: Type.Optional(Type.Object({ code: Type.String(), message: Type.String() })),
})

export function emailSend(parts: SendParts) {
  return operation({
    name: 'email.send',
    title: 'Send an email',
    area: 'messages',
    everyday: true,
    summary:
      'Send one email to one person: subject with html or text, or a template. With variables ({} too) or a template Liquid fills in variables, business.name and contact.name, contact.attributes.KEY; what may be empty needs a default. message.get has the outcome. Marketing needs consent. Repeated within two minutes without idempotency_key: the first, as duplicate.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/emails',
    bodyBytes: limits.emailCallBytes,
    status: 202,
    input: emailInputs,
    output: Type.Object({
      message_id: Type.String(),
      status: Type.Enum(messageStates),
      leaves_this_machine: leavesThisMachine,
      send_at: sendAtView,
      duplicate: Type.Optional(Type.Boolean()),
      copies: Type.Optional(Type.Array(copyOutcome)),
      warnings: Type.Optional(Type.Array(Type.String())),
    }),

    async run(context, input) {
      const prepared = await orRefusal(() => prepareEmail(parts, context, input))
      if (isRefusal(prepared)) return refuseOnce(context, input, prepared)
      const { message, copies, addressed, warnings } = prepared
      const more = {
        leaves_this_machine:
          parts.email === 'smtp' &&
          !context.principal.isTest &&
          !isOnlySimulated([message, ...copies]),
      }
      if (copies.length > 0) {
        const sets = { message, copies, addressed }
        const { copyWarnings, ...answer } = await saveWithCopies(context, sets)
        return { ...answer, ...more, ...warned([...warnings, ...copyWarnings]) }
      }
      const saved = await context.batch(saveMessages, message)
      return { ...answerOf(saved, message), ...more, ...warned(warnings) }
    },
  })
}

const warned = (warnings: string[]) => warnings.length > 0 && { warnings }

const isOnlySimulated = (all: readonly Pick<MessageToSave, 'to'>[]) =>
  all.every(({ to }) => to !== undefined && isSimulated(to))

const answerOf = (
  { id, state, duplicate }: SavedMessage,
  { sendAt }: Pick<MessageToSave, 'sendAt'>,
) => ({
  message_id: formatId('message', id),
  status: state,
  ...(sendAt && { send_at: sendAt.toISOString() }),
  ...(duplicate && { duplicate }),
})

interface ToSaveTogether {
  message: MessageToSave
  copies: readonly MessageToSave[]
  addressed: number
}

/**
 * Saves the mail and its copies in one transaction. Of several people whom it addresses, those who
 * cannot get it are left out with a warning; if nobody can, no copy is sent.
 */
function saveWithCopies(
  { write, now }: BusinessContext,
  { message, copies, addressed }: ToSaveTogether,
) {
  return write(async (tx) => {
    const main = [message, ...copies.slice(0, addressed)]
    const others = copies.slice(addressed)
    const outcomes = await saveMessages.save(tx, main, now)
    const first = outcomes.findIndex((outcome) => !isRefusal(outcome))
    const saved = orThrow(outcomes[Math.max(first, 0)] as SavedMessage | Refusal)
    const all = [...outcomes, ...(await saveMessages.save(tx, others, now))]
    const failures = main.flatMap(({ to = '' }, index) => {
      const outcome = outcomes[index] as SavedMessage | Refusal
      return isRefusal(outcome) ? [`${to} does not get it: ${outcome.message}`] : []
    })
    return {
      ...answerOf(saved, message),
      copies: [...main, ...others].flatMap(({ to = '' }, index): Static<typeof copyOutcome>[] => {
        if (index === Math.max(first, 0)) return []
        const outcome = all[index] as SavedMessage | Refusal
        if (!isRefusal(outcome)) return [{ to, ...answerOf(outcome, { sendAt: undefined }) }]
        return [{ to, error: { code: outcome.code, message: outcome.message } }]
      }),
      copyWarnings: failures,
    }
  })
}
