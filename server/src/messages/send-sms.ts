import { isRefusal, orRefusal } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { smsEncodings } from '../lib/sms/segments.ts'
import { messageStates } from './message.ts'
import { prepareSms, type SendSmsParts, smsInputs } from './prepare-sms.ts'
import { saveMessages } from './save.ts'
import { refuseOnce, sendAtView } from './send-input.ts'
import { leavesThisMachine } from './view.ts'

export function smsSend(parts: SendSmsParts) {
  return operation({
    name: 'sms.send',
    title: 'Send a text',
    area: 'messages',
    everyday: true,
    summary:
      'Send one SMS, otherwise like email.send. Costs its segments: template.save with dry_run counts them. Marketing waits for 09:00 to 20:00.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'editor',
    tier: 'growth',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/sms',
    status: 202,
    input: smsInputs,
    output: Type.Object({
      message_id: Type.String(),
      status: Type.Enum(messageStates),
      leaves_this_machine: leavesThisMachine,
      segments: Type.Integer(),
      encoding: Type.Enum(smsEncodings),
      send_at: sendAtView,
      duplicate: Type.Optional(Type.Boolean()),
      warnings: Type.Optional(Type.Array(Type.String())),
    }),

    async run(context, input) {
      const prepared = await orRefusal(() => prepareSms(parts, context, input))
      if (isRefusal(prepared)) return refuseOnce(context, input, prepared)
      const { message, segments, encoding, warnings } = prepared
      const saved = await context.batch(saveMessages, message)
      const { duplicate } = saved
      const message_id = formatId('message', saved.id)
      const leaves_this_machine = parts.sms !== 'inbox' && !context.principal.isTest
      const answer = {
        message_id,
        status: saved.state,
        segments,
        encoding,
        leaves_this_machine,
        ...(message.sendAt && { send_at: message.sendAt.toISOString() }),
      }
      return {
        ...answer,
        ...(duplicate && { duplicate }),
        ...(warnings.length > 0 && { warnings }),
      }
    },
  })
}
