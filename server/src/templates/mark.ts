import { refuse } from '../core/errors.ts'
import { formatId, parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { Type } from '../lib/schema/schema.ts'
import { isMarketing } from './gallery/entries.ts'
import { lockTemplate, markTransactional } from './template.ts'
import { noSuchTemplate, templateIdInput } from './view.ts'

/**
 * A person says that people asked for what the template says. So its transactional mail is not
 * counted as one message to many people (`usage/connection-limit.ts`).
 */
export const templateMark = operation({
  name: 'template.mark',
  title: 'Mark a template as transactional',
  summary:
    'Lets connected apps send a template as transactional to more than 50 people a day, or takes that back. The mark is lost when a connected app changes the template.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'admin',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'PATCH /v1/templates/:template_id/mark',
  input: {
    template_id: templateIdInput,
    transactional: Type.Boolean(),
    version: Type.Integer({ minimum: 1, description: 'The version that the person read.' }),
  },
  output: Type.Object({ template_id: Type.String(), transactional: Type.Boolean() }),

  async run({ business, now, origin, write }, { template_id, transactional, version }) {
    const id = parseId('template', template_id)
    if (!id) throw noSuchTemplate(template_id)
    return write(async (tx) => {
      const locked = await lockTemplate(tx, business.id, id)
      if (!locked) throw noSuchTemplate(template_id)
      if (transactional && locked.version !== version) throw changedMeanwhile(template_id)
      if (transactional) refuseMarketing(locked.gallery)
      const marked = await markTransactional(tx, business.id, id, transactional ? now : null)
      if (marked === 0) throw noSuchTemplate(template_id)
      const action = transactional ? 'template.mark' : 'template.unmark'
      const entry = { businessId: business.id, action, subject: formatId('template', id), origin }
      await recordAudit(tx, [{ ...entry, details: { version: locked.version } }], now)
      return { template_id, transactional }
    })
  },
})

/** What the gallery calls marketing stays so, whatever was written into it. */
function refuseMarketing(key: string | null): void {
  if (key === null || !isMarketing(key)) return
  const text = `The template was made of the gallery’s ${key}, which is marketing: it goes only to people who agreed. Save a template of your own words for what people ordered or asked for.`
  throw refuse('conflict', text, {
    field: 'transactional',
    data: { reason: 'marketing' },
    fix: { tool: 'template.save', arguments: {} },
  })
}

function changedMeanwhile(template_id: string) {
  const text = 'The template was changed meanwhile: read its present words, then mark it.'
  return refuse('conflict', text, {
    field: 'version',
    fix: { tool: 'template.list', arguments: { template_id } },
    data: { reason: 'changed_meanwhile' },
  })
}
