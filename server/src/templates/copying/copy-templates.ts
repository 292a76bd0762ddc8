/** Copies the templates of a business into a new one, each in its current version. */
import { type Copied, type Copy, copyLimit } from '../../core/copying.ts'
import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, newId } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { insertCopiedVersions, insertCopies, selectToCopy } from './copy-queries.ts'

export async function copyTemplates(
  tx: Tx,
  { from, to, now, ids }: Copy,
): Promise<Copied | Refusal> {
  const originals = (await selectToCopy(tx, from, copyLimit + 1)).map(({ id }) => id)
  if (originals.length > copyLimit) {
    const text = `More than ${copyLimit} templates cannot be copied at once: leave them out.`
    return refuse('conflict', text, { field: 'copy' })
  }
  const copies = originals.map((original) => {
    const copy = newId('template')
    ids.set(formatId('template', original), formatId('template', copy))
    return copy
  })
  const versions = originals.map(() => newId('templateVersion'))
  const copied = { from, originals, copies, versions, now }
  await insertCopies(tx, to, copied)
  await insertCopiedVersions(tx, to, copied)
  return { count: originals.length, leftOut: [] }
}
