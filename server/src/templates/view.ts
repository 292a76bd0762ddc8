/** A template as callers see it, and the ways in which they refer to one. */

import { lastSaveView } from '../accounts/saves/last-save.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { formatId } from '../core/ids.ts'
import { untrusted } from '../core/untrusted.ts'
import { Type } from '../lib/schema/schema.ts'
import { blockTypes } from './blocks/types.ts'
import { isOfFeed, type TemplateSource, templateChannels } from './source.ts'
import type { Template } from './template.ts'

export const templateIdInput = Type.String({ pattern: '^tpl_[0-9a-hjkmnp-tv-z]{26}$' })

const contentView = Type.Object({
  subject: Type.Optional(Type.String()),
  preheader: Type.Optional(Type.String()),
  html: Type.Optional(Type.String()),
  mjml: Type.Optional(Type.String()),
  blocks: Type.Optional(
    Type.Array(Type.Object({ type: Type.Enum(blockTypes) }, { additionalProperties: true })),
  ),
  text: Type.Optional(Type.String()),
})

export const sourceView = Type.Object({
  ...contentView.properties,
  translations: Type.Optional(Type.Record(Type.String(), contentView)),
})

export const templateView = Type.Object({
  template_id: Type.String(),
  channel: Type.Enum(templateChannels),
  name: Type.String(),
  key: Type.Optional(Type.String()),
  tags: Type.Array(Type.String()),
  version: Type.Integer(),
  transactional: Type.Boolean(),
  source: Type.Optional(sourceView),
  // Of a feed.
  untrusted: Type.Optional(untrusted({ source: Type.Optional(sourceView) })),
  needs: Type.Optional(Type.Array(Type.String())),
  outdated: Type.Optional(Type.Array(Type.String())),
  saved: Type.Optional(lastSaveView),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC.' }),
})

interface SourceWords {
  source?: TemplateSource
  untrusted?: { source: TemplateSource }
}

const wordsOf = (source: TemplateSource): SourceWords =>
  isOfFeed(source) ? { untrusted: { source: { ...source } } } : { source: { ...source } }

export function viewOf(template: Omit<Template, 'source'>, source?: TemplateSource) {
  const words: SourceWords = source ? wordsOf(source) : {}
  return {
    template_id: formatId('template', template.id),
    channel: template.channel,
    name: template.name,
    ...(template.key !== null && { key: template.key }),
    tags: [...template.tags],
    version: template.version,
    transactional: template.transactionalAt !== null,
    ...words,
    created_at: template.createdAt.toISOString(),
    updated_at: template.updatedAt.toISOString(),
  }
}

/** Another business's template gets the same refusal as one that never existed. */
export function noSuchTemplate(id: string): Refusal {
  return refuse('not_found', `This business has no template ${id}.`, {
    field: 'template_id',
    fix: { tool: 'template.list', arguments: {} },
  })
}
