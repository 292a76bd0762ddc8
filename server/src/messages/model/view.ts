/** A message as callers see it. */

import { channels } from '../../contacts/contact.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId } from '../../core/ids.ts'
import { untrusted } from '../../core/untrusted.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import { labelFields } from './labels.ts'
import { messageKinds, messageStates } from './message.ts'
import type { ShownMessage } from './read-queries.ts'

export const messageIdInput = Type.String({
  description: 'The message, msg_….',
  pattern: '^msg_[0-9a-hjkmnp-tv-z]{26}$',
})

export const leavesThisMachine = Type.Boolean({
  description: 'false: it stays in the test inbox and reaches nobody.',
})

export const messageFields = {
  message_id: Type.String(),
  channel: Type.Enum(channels),
  kind: Type.Enum(messageKinds),
  topic: Type.Optional(Type.String()),
  to: Type.String(),
  contact_id: Type.Union([Type.String(), Type.Null()]),
  template_id: Type.Union([Type.String(), Type.Null()]),
  campaign_id: Type.Union([Type.String(), Type.Null()]),
  status: Type.Enum(messageStates),
  segments: Type.Optional(Type.Integer()),
  ...labelFields,
  attempts: Type.Integer(),
  due_at: Type.String(),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC.' }),
  untrusted: untrusted({
    subject: Type.Union([Type.String(), Type.Null()]),
    text: Type.Optional(Type.String()),
  }),
}

const textOrNull = Type.Union([Type.String(), Type.Null()])

/** What a message said. */
export const contentView = Type.Object({
  from: textOrNull,
  to: Type.Array(Type.String()),
  cc: Type.Array(Type.String()),
  reply_to: Type.Array(Type.String()),
  subject: textOrNull,
  html: textOrNull,
  text: textOrNull,
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
})
export type ContentView = Static<typeof contentView>

export function fieldsOf(message: ShownMessage) {
  return {
    message_id: formatId('message', message.id),
    channel: message.channel,
    kind: message.kind,
    ...(message.topic !== null && { topic: message.topic }),
    to: message.to,
    contact_id: message.contactId && formatId('contact', message.contactId),
    template_id: message.templateId && formatId('template', message.templateId),
    campaign_id: message.campaignId && formatId('campaign', message.campaignId),
    status: message.state,
    ...(message.segments !== null && { segments: message.segments }),
    ...message.labels,
    attempts: message.attempts,
    due_at: message.dueAt.toISOString(),
    created_at: message.createdAt.toISOString(),
    updated_at: message.updatedAt.toISOString(),
    untrusted: {
      subject: message.subject,
      ...(message.text !== null && { text: message.text }),
    },
  }
}

/** Another business's message gets the same refusal as a message that never existed. */
export function noSuchMessage(messageId: string): Refusal {
  return refuse('not_found', `This business has no message ${messageId}.`, {
    field: 'message_id',
    fix: { tool: 'message.list', arguments: {} },
  })
}
