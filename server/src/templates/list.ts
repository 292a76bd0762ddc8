import { lastSaveOf } from '../accounts/saves/last-save.ts'
import { refuse } from '../core/errors.ts'
import { type Id, parseId } from '../core/ids.ts'
import { hiddenFrom } from '../core/masking.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import {
  inView,
  isBrief,
  nextCursor,
  pageFrom,
  pageInput,
  pageOf,
  viewInput,
} from '../core/paging.ts'
import type { Db } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { noSuchKey } from './key.ts'
import { templateLimits } from './source.ts'
import {
  type CompiledTemplate,
  findKey,
  findTemplate,
  listTags,
  listTemplates,
  type Template,
} from './template.ts'
import { outdatedIn } from './translations/translations.ts'
import { neededIn } from './version.ts'
import { noSuchTemplate, templateIdInput, templateView, viewOf } from './view.ts'

export const templateList = operation({
  name: 'template.list',
  title: 'List templates',
  area: 'templates',
  everyday: true,
  summary:
    'Templates, newest first; with template_id or key that one and its source; by tag, or q in name, key or tags. Free.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/templates',
  input: {
    template_id: Type.Optional(templateIdInput),
    key: Type.Optional(Type.String({ maxLength: templateLimits.keyLength })),
    tag: Type.Optional(Type.String({ maxLength: templateLimits.tagLength })),
    q: Type.Optional(Type.String({ maxLength: templateLimits.nameLength })),
    view: viewInput,
    ...pageInput,
  },
  seldom: ['view'],
  output: Type.Object({
    templates: Type.Array(templateView),
    tags: Type.Optional(
      Type.Array(Type.String(), { description: 'All that templates have; with the first page.' }),
    ),
    next_cursor: nextCursor,
  }),

  async run(context, { template_id, key, tag, q, view, ...input }) {
    const { db, business, principal } = context
    const page = pageOf('template', input)
    if (template_id !== undefined || key !== undefined) {
      const template = await namedTemplate(db, business.id, { template_id, key })
      return { templates: [await wholeViewOf({ db, business, principal }, template)] }
    }
    const rows = await listTemplates(db, business.id, {
      ...page,
      tag: tag ?? null,
      words: q || null,
      hidden: hiddenFrom(context),
    })
    const tags = page.before === null ? await listTags(db, business.id, mostTags) : undefined
    const brief = isBrief(context, view)
    const shownOf = (row: Omit<Template, 'source'>) =>
      inView(viewOf(row), { brief, fields: briefFields })
    const { shown: templates, next } = pageFrom('template', rows, page, shownOf)
    return { templates: templates.map(shownOf), ...(tags && { tags }), ...next }
  },
})

const briefFields = [
  'template_id',
  'channel',
  'name',
  'key',
  'tags',
  'transactional',
  'updated_at',
] as const

/** One template with its source, as `template.list` shows the one that it is asked for. */
export async function wholeViewOf(
  { db, business, principal }: Pick<BusinessContext, 'db' | 'business' | 'principal'>,
  template: CompiledTemplate,
) {
  const needs = neededIn(template.compiled)
  const saved = await lastSaveOf(db, principal, { businessId: business.id, objectId: template.id })
  const outdated = await outdatedIn(db, business.id, template)
  return { ...viewOf(template, template.source), needs, outdated, ...(saved && { saved }) }
}

/** The most tags that are listed. */
const mostTags = 200

export async function namedTemplate(
  db: Db,
  businessId: Id<'business'>,
  { template_id, key }: { template_id: string | undefined; key: string | undefined },
): Promise<CompiledTemplate> {
  if (template_id !== undefined && key !== undefined) {
    const text = 'template_id and key cannot be used together: give one of them.'
    throw refuse('invalid_request', text, { field: 'key', data: { reason: 'one_of' } })
  }
  const id =
    key === undefined ? parseId('template', template_id ?? '') : await findKey(db, businessId, key)
  const template = id && (await findTemplate(db, businessId, id))
  if (template) return template
  throw key === undefined ? noSuchTemplate(template_id ?? '') : noSuchKey(key, 'key')
}
