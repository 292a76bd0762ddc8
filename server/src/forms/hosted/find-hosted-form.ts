import { parseId } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { topicNamesOf, withoutArchived } from '../topics/offered-topics.ts'
import type { HostedForm } from './hosted-form.ts'
import { selectHostedForm } from './hosted-form-queries.ts'

/** The form at a public address, `frm_…`; undefined if there is none. */
export async function findHostedForm(db: Db, formId: string): Promise<HostedForm | undefined> {
  const id = parseId('form', formId)
  const form = id && (await selectHostedForm(db, id))
  if (!form) return undefined
  const topicNames = await topicNamesOf(db, form.businessId, form.fields)
  return { ...form, fields: withoutArchived(form.fields, topicNames), topicNames }
}
