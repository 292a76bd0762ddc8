/** Exports all answers to a form, page by page, newest first. */

import { type Id, parseId } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import { findForm, noSuchForm } from '../form.ts'
import { listSubmissions, type Submission } from '../submission.ts'

const perPage = 500

export async function* exportSubmissions(
  db: Db,
  businessId: Id<'business'>,
  formId: Id<'form'>,
): AsyncGenerator<Submission[]> {
  for (let before: Id<'submission'> | null = null; ; ) {
    const page: Submission[] = await listSubmissions(db, businessId, formId, {
      before,
      limit: perPage,
    })
    if (page.length === 0) return
    yield page
    before = page.at(-1)?.id ?? null
  }
}

/** The form's id and the keys of its fields. */
export async function formKeysOf(
  db: Db,
  businessId: Id<'business'>,
  formId: string,
): Promise<{ id: Id<'form'>; keys: string[] }> {
  const id = parseId('form', formId)
  const form = id && (await findForm(db, businessId, id))
  if (form) return { id: form.id, keys: form.fields.map(({ key }) => key) }
  throw noSuchForm(formId)
}
