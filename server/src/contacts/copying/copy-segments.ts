/** Copies the segments of a business into a new one, and the topics that forms and segments name. */
import type { Copied, Copy, LeftOut } from '../../core/copying.ts'
import { formatId, newId } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { insertCopiedTopics, insertSegments, selectSegments } from './copy-queries.ts'
import { hindranceOf, mappedFilter } from './mapped-filter.ts'

export async function copyTopics(tx: Tx, { from, to, now }: Copy): Promise<void> {
  await insertCopiedTopics(tx, to, { from, now })
}

/**
 * A segment is left out if its filter names what the new business does not have: a campaign, or a
 * template, form or segment that is not copied.
 */
export async function copySegments(tx: Tx, { from, to, now, ids }: Copy): Promise<Copied> {
  const all = (await selectSegments(tx, from)).map((segment) => ({
    ...segment,
    publicId: formatId('segment', segment.id),
    copy: newId('segment'),
  }))
  for (const { publicId, copy } of all) ids.set(publicId, formatId('segment', copy))
  const leftOut: LeftOut[] = []
  let left = all
  // A segment that is left out may hinder those that name it, so this ends when nothing changes.
  for (let before = -1; before !== left.length; ) {
    before = left.length
    left = left.filter(({ name, filter, publicId }) => {
      const why = hindranceOf(filter, ids)
      if (why === undefined) return true
      ids.delete(publicId)
      leftOut.push({ kind: 'segments', name, why })
      return false
    })
  }
  const copies = left.map(({ copy, name, filter }) => {
    return { id: copy, name, filter: mappedFilter(filter, ids) }
  })
  await insertSegments(tx, to, copies, now)
  return { count: copies.length, leftOut }
}
