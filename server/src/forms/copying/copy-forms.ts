/** Copies the forms of a business into a new one, as drafts. */
import { type Copied, type Copy, copyLimit } from '../../core/copying.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, newId } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { insertCopies, selectToCopy } from './copy-queries.ts'

export async function copyForms(tx: Tx, { from, to, now, ids }: Copy): Promise<Copied | Refusal> {
  const originals = (await selectToCopy(tx, from, copyLimit + 1)).map(({ id }) => id)
  if (originals.length > copyLimit) {
    const text = `More than ${copyLimit} forms cannot be copied at once: leave them out.`
    return refuse('conflict', text, { field: 'copy' })
  }
  const copies = originals.map((original) => {
    const copy = newId('form')
    ids.set(formatId('form', original), formatId('form', copy))
    return copy
  })
  await insertCopies(tx, to, { from, originals, copies, now })
  return { count: originals.length, leftOut: [] }
}
