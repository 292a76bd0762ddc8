/** A message as callers see it. */

import { channels } from '../../contacts/model/contact.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId } from '../../core/ids.ts'
import { untrusted } from '../../core/untrusted.ts'
import { Type } from '../../lib/schema/schema.ts'
import { labelFields } from './labels.ts'
import { messageKinds, messageStates } from './message.ts'
import type { ShownMessage } from './read-queries.ts'

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

export const messageIdInput = Type.String({
  description: 'The message, msg_….',
  pattern: '^msg_[0-9a-hjkmnp-tv-z]{26}$',
})

export const messageFields = {
  message_id: Type.String(),
  channel: Type.Enum(channels),
  kind: Type.Enum(messageKinds),
  topic: Type.Optional(Type.String({ description: 'Of marketing about one.' })),
  to: Type.String({ description: 'Address or number it goes to.' }),
  contact_id: orNull('The contact it goes to, con_…; null for none.'),
  template_id: orNull('tpl_…; null for own words.'),
  campaign_id: orNull('The campaign that it belongs to, cmp_…; null for none.'),
  status: Type.Enum(messageStates, {
    description:
      'scheduled, queued, attempting and deferred go on by themselves; accepted: the next hop took it; delivered needs a receipt; unknown: it may have arrived, and is not sent again.',
  }),
  segments: Type.Optional(
    Type.Integer({ description: 'Of a text: the parts it takes, which is what it costs.' }),
  ),
  ...labelFields,
  attempts: Type.Integer({ description: 'Times it was tried.' }),
  due_at: Type.String({ description: 'When it goes, or is tried again. ISO 8601, UTC.' }),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC.' }),
  untrusted: untrusted({
    subject: orNull("As it was given; null for the template's, and of a text."),
    text: Type.Optional(Type.String({ description: 'What a text says.' })),
  }),
}

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
