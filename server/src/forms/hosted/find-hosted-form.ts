import { type Id, parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { offeredTopicsOf, withoutArchived } from '../topics/offered-topics.ts'
import type { HostedForm } from './hosted-form.ts'

/** The form at a public address, `frm_…`; undefined if there is none. */
export async function findHostedForm(db: Db, formId: string): Promise<HostedForm | undefined> {
  const id = parseId('form', formId)
  const form = id && (await selectHostedForm(db, id))
  if (!form) return undefined
  const offeredTopics = await offeredTopicsOf(db, form.businessId, form.fields)
  return { ...form, fields: withoutArchived(form.fields, offeredTopics), offeredTopics }
}

/** A public address names no business, so this one statement searches all of them. */
function selectHostedForm(
  db: Db,
  id: Id<'form'>,
): Promise<Omit<HostedForm, 'offeredTopics'> | undefined> {
  return db.maybe(sql`
    select forms.business_id as "businessId", businesses.tier, forms.id, forms.name, forms.status,
      forms.fields, forms.page,
      forms.double_opt_in as "doubleOptIn",
      forms.guarded_since is not null and forms.guarded_until is null as "isGuarded"
    from forms join businesses on businesses.id = forms.business_id
    where forms.id = ${id} and businesses.closed_at is null
  `)
}
