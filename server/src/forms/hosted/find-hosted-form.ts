import { parseId } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { HostedForm } from './hosted-form.ts'
import { selectHostedForm } from './hosted-form-queries.ts'

/** The form at a public address, `frm_…`; undefined where there is none. */
export async function findHostedForm(db: Db, formId: string): Promise<HostedForm | undefined> {
  const id = parseId('form', formId)
  return id && selectHostedForm(db, id)
}
