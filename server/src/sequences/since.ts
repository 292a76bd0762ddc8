/** Dates in a sequence's filters that count from a person's entry, or from the step before. */

import type { Filter } from '../contacts/filters/filter.ts'
import { propertyAt } from '../contacts/own-events/property-rules.ts'
import { isObject } from '../lib/text/i-json.ts'

/** What a filter may refer to of the entry of a person. */
interface EntryMoment {
  entry: string
  step: string
  /** Where what is counted since the entry ends; now without it. */
  until?: string
  /** The properties of the entering event. */
  event?: Readonly<Record<string, unknown>>
}

const anyDay = '2020-01-01'
export const anyEntry = { entry: anyDay, step: anyDay, event: 'any' } as const

/** The filter with what it refers to of the entry in its place. Nothing equals a property that the entering event lacks. */
export function resolveSince(
  filter: unknown,
  moment: Omit<EntryMoment, 'event'> & { event?: EntryMoment['event'] | 'any' },
): Filter {
  if (Array.isArray(filter)) return filter.map((part) => resolveSince(part, moment)) as never
  if (!isObject(filter)) return filter as Filter
  const isBehaviour = 'did' in filter || 'did_not' in filter
  const isTimed = isBehaviour || 'consent' in filter
  const { until } = moment
  const ends = isTimed && until !== undefined && isEntryTime(filter['since']) && !filter['until']
  return Object.fromEntries(
    Object.entries({ ...filter, ...(ends && { until }) }).map(([key, value]) => {
      if (key === 'since' && isTimed && isEntryTime(value)) return [key, moment[value]]
      if (key === 'where' && isBehaviour && isObject(value)) {
        return [key, comparedWith(value, moment.event)]
      }
      return [key, isObject(value) || Array.isArray(value) ? resolveSince(value, moment) : value]
    }),
  ) as Filter
}

const isEntryTime = (value: unknown): value is 'entry' | 'step' =>
  value === 'entry' || value === 'step'

function comparedWith(
  where: Readonly<Record<string, unknown>>,
  event: EntryMoment['event'] | 'any',
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(where).map(([path, comparison]) => {
      const name =
        isObject(comparison) && Object.keys(comparison).length === 1 && comparison['entry']
      if (typeof name !== 'string' || name === '') return [path, comparison]
      if (event === 'any') return [path, { is: name }]
      const value = propertyAt(event, name.split('.'))
      const isScalar = ['string', 'number', 'boolean'].includes(typeof value)
      return [path, isScalar ? { is: value } : { in: [] }]
    }),
  )
}

/** Whether the filter depends on when the person entered or did the last step, or on what let them in. */
export const countsSince = (filter: unknown): boolean =>
  JSON.stringify(filter) !== JSON.stringify(resolveSince(filter, { entry: '', step: '' }))
