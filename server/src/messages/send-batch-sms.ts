import { limits } from '../config.ts'
import { isSimulated } from '../core/inbox/simulated-address.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { prepareSms, type SendSmsParts, smsInputs } from './prepare-sms.ts'
import { batchOutput, batchSender, messagesInput, once } from './send-batch.ts'
import { templateName } from './send-input.ts'

export function smsSendBatch(parts: SendSmsParts) {
  const textMessage = Type.Object(smsInputs, { additionalProperties: false })
  const send = batchSender(textMessage, parts.sms !== 'inbox')
  return operation({
    name: 'sms.send_batch',
    title: 'Send many texts',
    area: 'messages',
    summary: 'sms.send for up to 500, with an outcome each.',
    unlisted: true,
    reach: 'business',
    scope: 'messaging:send',
    role: 'editor',
    tier: 'growth',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/sms/batch',
    bodyBytes: limits.toolCallBytes,
    status: 202,
    input: { messages: messagesInput('sms.send') },
    entries: { messages: textMessage },
    output: batchOutput,

    async run(context, { messages }) {
      const { sms, templates, tracking, fillOwn, checkValues } = parts
      const cachedParts: SendSmsParts = {
        sms,
        templates,
        tracking,
        fillOwn,
        checkValues,
        findTemplate: once(parts.findTemplate, (_db, _business, name) => templateName(name)),
        findTopic: once(parts.findTopic, (_db, _business, key = '') => key),
        textSenders: {
          textSenderOf: once(
            parts.textSenders.textSenderOf,
            (business, to = '') => `${business} ${isSimulated(to)}`,
          ),
        },
      }
      return send(context, messages, (entry) => prepareSms(cachedParts, context, entry))
    },
  })
}
