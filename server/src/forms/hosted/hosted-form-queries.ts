/** The statement that finds a form by its public address. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { HostedForm } from './hosted-form.ts'

/** A public address names no business, so this one statement searches all of them. */
export function selectHostedForm(
  db: Db,
  id: Id<'form'>,
): Promise<Omit<HostedForm, 'topicNames'> | undefined> {
  return db.maybe(sql`
    select forms.business_id as "businessId", businesses.tier, forms.id, forms.name, forms.status,
      forms.fields, forms.page,
      forms.double_opt_in as "doubleOptIn",
      forms.guarded_since is not null and forms.guarded_until is null as "isGuarded"
    from forms join businesses on businesses.id = forms.business_id
    where forms.id = ${id}
  `)
}
