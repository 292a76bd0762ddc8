/** A filter for another business, with the ids of the copies in place of those of the originals. */
import type { LeftOut } from '../../core/copying.ts'
import type { Filter } from '../filters/filter.ts'

/** The fields of conditions that hold an id, without that of a campaign, which is never copied. */
const idFields = ['segment', 'template_id', 'form_id'] as const

/** Why the filter cannot say the same in the other business; undefined if it can. */
export function hindranceOf(
  filter: Filter,
  ids: ReadonlyMap<string, string>,
): LeftOut['why'] | undefined {
  for (const condition of conditionsOf(filter)) {
    if (Object.hasOwn(condition, 'campaign_id')) return 'names_campaign'
    if (idFields.some((field) => field in condition && !ids.has(condition[field] ?? ''))) {
      return 'names_what_is_not_copied'
    }
  }
  return undefined
}

type Ids = { [field in (typeof idFields)[number]]?: string }

/** Filters are nested at most `filterLimits.depth` deep. */
function conditionsOf(filter: Filter): Ids[] {
  if ('not' in filter) return conditionsOf(filter.not)
  if ('and' in filter) return filter.and.flatMap(conditionsOf)
  if ('or' in filter) return filter.or.flatMap(conditionsOf)
  return [filter as Ids]
}

export function mappedFilter(filter: Filter, ids: ReadonlyMap<string, string>): Filter {
  if ('not' in filter) return { not: mappedFilter(filter.not, ids) }
  if ('and' in filter) return { and: filter.and.map((entry) => mappedFilter(entry, ids)) }
  if ('or' in filter) return { or: filter.or.map((entry) => mappedFilter(entry, ids)) }
  const named = filter as Ids
  const mapped = idFields.flatMap((field) => {
    const id = named[field] === undefined ? undefined : ids.get(named[field])
    return id === undefined ? [] : [[field, id] as const]
  })
  return { ...filter, ...Object.fromEntries(mapped) }
}
