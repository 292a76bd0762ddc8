import { heldCount, heldOf } from '../../contacts/consent/form-confirmations.ts'
import { formatId, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { untrusted } from '../../core/untrusted.ts'
import { Type } from '../../lib/schema/schema.ts'
import { findForm, formIdInput, noSuchForm } from '../form.ts'

export const formHeld = operation({
  name: 'form.held',
  title: 'List held confirmations',
  area: 'forms',
  summary:
    'The confirmation mails that a guarded form holds back, newest first, and how many. form.release sends them, form.discard ends them. Free, changes nothing.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/forms/:form_id/held',
  input: { form_id: formIdInput, ...pageInput },
  output: Type.Object({
    held: Type.Array(
      Type.Object({
        confirmation_id: Type.String(),
        contact_id: Type.String(),
        reason: Type.Enum(['challenge', 'rate']),
        asked_at: Type.String({ description: 'ISO 8601, UTC.' }),
        held_at: Type.String({ description: 'ISO 8601, UTC.' }),
        untrusted: untrusted({ email: Type.String() }),
      }),
    ),
    total: Type.Integer(),
    next_cursor: nextCursor,
  }),

  async run({ db, business }, { form_id, ...paging }) {
    const formId = parseId('form', form_id)
    const form = formId && (await findForm(db, business.id, formId))
    if (!form) throw noSuchForm(form_id)
    const page = pageOf('confirmation', paging)
    const formKey = { businessId: business.id, formId: form.id }
    const [rows, total] = await Promise.all([heldOf(db, formKey, page), heldCount(db, formKey)])
    const { shown, next } = pageFrom('confirmation', rows, page, viewOf)
    return { held: shown.map(viewOf), total, ...next }
  },
})

function viewOf(row: Awaited<ReturnType<typeof heldOf>>[number]) {
  return {
    confirmation_id: formatId('confirmation', row.id),
    contact_id: formatId('contact', row.contactId),
    reason: row.unproven ? ('challenge' as const) : ('rate' as const),
    asked_at: row.askedAt.toISOString(),
    held_at: row.heldAt.toISOString(),
    untrusted: { email: row.address },
  }
}
