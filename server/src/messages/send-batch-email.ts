import { limits } from '../config.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { emailInputs, oneRecipient, prepareEmail, type SendParts } from './prepare-email.ts'
import { batchOutput, batchSender, messagesInput, once } from './send-batch.ts'
import { templateName } from './send-input.ts'

export function emailSendBatch(parts: SendParts) {
  // A copy has its own outcome, for which an entry of a batch has no place.
  const { cc: _cc, bcc: _bcc, ...shared } = emailInputs
  const mail = Type.Object({ ...shared, to: oneRecipient }, { additionalProperties: false })
  const send = batchSender(mail, parts.email === 'smtp')
  return operation({
    name: 'email.send_batch',
    title: 'Send many emails',
    area: 'messages',
    summary: 'email.send for up to 500, with an outcome each: a faulty one is refused alone.',
    unlisted: true,
    reach: 'business',
    scope: 'messaging:send',
    role: 'editor',
    tier: 'free',
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
    rest: 'POST /v1/emails/batch',
    bodyBytes: limits.toolCallBytes,
    status: 202,
    input: { messages: messagesInput('email.send, but cc and bcc') },
    entries: { messages: mail },
    output: batchOutput,

    async run(context, { messages }) {
      const { email, checkValues, fillOwn, tracking } = parts
      const cachedParts: SendParts = {
        email,
        checkValues,
        fillOwn,
        tracking,
        findTemplate: once(parts.findTemplate, (_db, _business, name) => templateName(name)),
        findTopic: once(parts.findTopic, (_db, _business, key = '') => key),
        senders: {
          senderOf: once(parts.senders.senderOf, (business, from) => `${business} ${from ?? ''}`),
        },
      }
      return send(context, messages, async (entry) => {
        const prepared = await prepareEmail(cachedParts, context, entry)
        const { message, warnings } = prepared
        return { message, warnings }
      })
    },
  })
}
