import { lastSaveOf } from '../accounts/saves/last-save.ts'
import { parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../core/paging.ts'
import { Type } from '../lib/schema/schema.ts'
import { neededIn } from './languages.ts'
import { findTemplate, listTemplates } from './queries.ts'
import { outdatedIn } from './translations/outdated.ts'
import { noSuchTemplate, templateIdInput, templateView, viewOf } from './view.ts'

export const templateList = operation({
  name: 'template.list',
  title: 'List templates',
  area: 'templates',
  everyday: true,
  summary: 'Templates, newest first; with template_id that one and its source. Free.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/templates',
  input: {
    template_id: Type.Optional(templateIdInput),
    ...pageInput,
  },
  output: Type.Object({ templates: Type.Array(templateView), next_cursor: nextCursor }),

  async run({ db, business, principal }, { template_id, ...input }) {
    const page = pageOf('template', input)
    if (template_id !== undefined) {
      const id = parseId('template', template_id)
      const found = id && (await findTemplate(db, business.id, id))
      if (!found) throw noSuchTemplate(template_id)
      const needs = neededIn(found.compiled)
      const saved = await lastSaveOf(db, principal, { businessId: business.id, objectId: id })
      const outdated = await outdatedIn(db, business.id, found)
      const view = { ...viewOf(found, found.source), needs, outdated, ...(saved && { saved }) }
      return { templates: [view] }
    }
    const rows = await listTemplates(db, business.id, page)
    const { shown, next } = pageFrom('template', rows, page, (row) => viewOf(row))
    return { templates: shown.map((row) => viewOf(row)), ...next }
  },
})
