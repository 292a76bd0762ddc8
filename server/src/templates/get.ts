import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import { namedTemplate, wholeViewOf } from './list.ts'
import { templateIdInput, templateView } from './view.ts'

export const templateGet = operation({
  name: 'template.get',
  title: 'Look at a template',
  area: 'templates',
  summary: 'One template; with content: true also what it says.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/templates/:template_id',
  input: {
    template_id: templateIdInput,
    content: Type.Optional(Type.Boolean({ description: 'With its source.' })),
  },
  output: templateView,

  async run(context, { template_id, content: withContent = false }) {
    const row = await namedTemplate(context.db, context.business.id, {
      template_id,
      key: undefined,
    })
    const whole = await wholeViewOf(context, row)
    if (withContent) return whole
    const { source: _source, untrusted: _words, ...template } = whole
    return template
  },
})
