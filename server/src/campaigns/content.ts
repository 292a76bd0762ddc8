/** The content of a campaign, as callers write it and as it is shown. */

import { topicLimits } from '../contacts/topics/topic.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { sameBlocksInput } from '../templates/blocks/input.ts'
import { sameTranslationsInput } from '../templates/translations/translations.ts'
import { sourceView } from '../templates/view.ts'

export const contentInput = Type.Object(
  {
    subject: Type.Optional(Type.String()),
    preheader: Type.Optional(Type.String()),
    html: Type.Optional(Type.String()),
    mjml: Type.Optional(Type.String()),
    blocks: sameBlocksInput,
    text: Type.Optional(Type.String()),
    translations: sameTranslationsInput,
  },
  { additionalProperties: false, description: 'As in template.save; SMS: text alone.' },
)
export type ContentInput = Static<typeof contentInput>

export const contentView = sourceView

/** Turns a refusal about the content into one about the call's `content` field. */
export function inContent(refusal: Refusal): Refusal {
  const { field } = refusal.details
  // A campaign's name is a field of the call itself.
  if (field === undefined || field === 'name') return refusal
  return refuse(refusal.code, refusal.message, { ...refusal.details, field: `content.${field}` })
}

export const campaignTopicInput = Type.Optional(
  Type.String({
    maxLength: topicLimits.keyLength,
    description: 'By topic.list: who chose it, or no topic, gets it.',
  }),
)
