import { limits } from '../../config.ts'
import { isRefusal } from '../../core/errors.ts'
import { formatId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { saveMessages } from '../intake/save.ts'
import { messageStates } from '../model/message.ts'
import { emailInputs, prepareEmail, type SendParts } from './prepare-email.ts'

export function emailSend(parts: SendParts) {
  return operation({
    name: 'email.send',
    title: 'Send an email',
    summary:
      'Send one email to one person: subject with html or text, or a template. Both are filled in with Liquid: variables, business.name, and contact (contact.name, contact.attributes.KEY) where there is one; give what may be empty a default filter. message.get tells what came of it. Marketing needs consent. The same mail within two minutes gives the first message (duplicate: true). Costs one email of the tier.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    rest: 'POST /v1/emails',
    bodyBytes: limits.toolCallBytes,
    status: 202,
    input: emailInputs,
    output: Type.Object({
      message_id: Type.String(),
      status: Type.Enum(messageStates),
      duplicate: Type.Optional(
        Type.Boolean({ description: 'The message was asked for before: nothing was queued.' }),
      ),
    }),

    async run(context, input) {
      const message = await prepareEmail(parts, context, input)
      if (isRefusal(message)) return message
      const saved = await context.batch(saveMessages, message)
      if (isRefusal(saved)) return saved
      const { state, duplicate } = saved
      const answer = { message_id: formatId('message', saved.id), status: state }
      return duplicate ? { ...answer, duplicate } : answer
    },
  })
}
