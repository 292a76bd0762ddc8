import { lastSaveOf, lastSaveView } from '../accounts/saves/last-save.ts'
import { parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { Type } from '../lib/schema/schema.ts'
import {
  type FormAddresses,
  findForm,
  formIdInput,
  formsBase,
  formView,
  noSuchForm,
  offeredTopicsOf,
  viewOf,
} from './form.ts'
import { shareOf, shareView } from './share.ts'

export function formGet(addresses: FormAddresses) {
  return operation({
    name: 'form.get',
    title: 'Read a form',
    area: 'forms',
    everyday: true,
    summary:
      'One form: its fields with types and rules, status, URL, ways to share. Call it before form.submit to learn the keys.',
    reach: 'business',
    scope: 'forms:read',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/forms/:form_id',
    input: { form_id: formIdInput },
    output: Type.Object({
      ...formView.properties,
      share: shareView,
      saved: Type.Optional(lastSaveView),
    }),

    async run({ db, business, principal }, { form_id }) {
      const id = parseId('form', form_id)
      const form = id && (await findForm(db, business.id, id))
      if (!form) throw noSuchForm(form_id)
      const base = await formsBase(addresses, business.id)
      const offeredTopics = await offeredTopicsOf(db, business.id, form.fields)
      const saved = await lastSaveOf(db, principal, { businessId: business.id, objectId: id })
      return {
        ...viewOf(form, base),
        share: shareOf(form, { base, offeredTopics }),
        ...(saved && { saved }),
      }
    },
  })
}
