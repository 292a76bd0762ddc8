/** The content of a campaign, as callers write it and as it is shown. */

import { topicLimits } from '../contacts/topics/topic.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { sameBlocksInput } from '../templates/blocks/input.ts'
import { isEmail, type TemplateSource } from '../templates/source.ts'
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

/**
 * Whether a feed filled in some of it. Then its subject, words and addresses are strangers' text, in a
 * copy of the issue as in the issue.
 */
export function isOfFeed(source: TemplateSource): boolean {
  if (!isEmail(source)) return false
  return [source, ...Object.values(source.translations ?? {})].some(({ blocks = [] }) =>
    blocks.some((block) => block.type === 'feed' && block.items !== undefined),
  )
}

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
