/** The statement that finds a form by its public address. */
import type { Id } from '../../core/ids.ts'
import type { Tier } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { FormField, FormStatus } from '../form.ts'
import type { FormPage } from '../form-page.ts'

/** A form as strangers meet it. */
export interface HostedForm {
  businessId: Id<'business'>
  tier: Tier
  id: Id<'form'>
  name: string
  status: FormStatus
  fields: FormField[]
  page: FormPage
}

/** A public address names no business, so this one statement looks in all of them. */
export function findHostedForm(db: Db, id: Id<'form'>): Promise<HostedForm | undefined> {
  return db.maybe(sql`
    select forms.business_id as "businessId", businesses.tier, forms.id, forms.name, forms.status,
      forms.fields, forms.page
    from forms join businesses on businesses.id = forms.business_id
    where forms.id = ${id}
  `)
}
