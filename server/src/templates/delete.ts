import { parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { sql } from '../lib/db/db.ts'
import { Type } from '../lib/schema/schema.ts'
import { noSuchTemplate, templateIdInput } from './view.ts'

/** Its versions stay: messages that wait and automations that run were made with them. */
export const templateDelete = operation({
  name: 'template.delete',
  title: 'Delete a template',
  area: 'templates',
  summary:
    'Delete a template, and free its key. What is queued and automations that run keep its words.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'editor',
  tier: 'free',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'DELETE /v1/templates/:template_id',
  input: { template_id: templateIdInput },
  output: Type.Object({ template_id: Type.String(), deleted: Type.Boolean() }),

  async run({ business, now, origin, write }, { template_id }) {
    const id = parseId('template', template_id)
    if (!id) throw noSuchTemplate(template_id)
    return write(async (tx) => {
      const deleted = await tx.maybe<{ already: boolean }>(sql`
        update templates t set deleted_at = coalesce(t.deleted_at, ${now}), key = null, tags = '{}'
        from (
          select business_id, id, deleted_at is not null as already from templates
          where business_id = ${business.id} and id = ${id} and campaign_id is null
          for no key update
        ) as locked
        where t.business_id = locked.business_id and t.id = locked.id
        returning locked.already
      `)
      if (!deleted) throw noSuchTemplate(template_id)
      const entry = { businessId: business.id, action: 'template.delete', subject: template_id }
      if (!deleted.already) await recordAudit(tx, [{ ...entry, origin }], now)
      return { template_id, deleted: true }
    })
  },
})
