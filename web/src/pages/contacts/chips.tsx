/** The quick filters, each with the number of contacts that match. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ChipRow, FilterChip } from '../../ui/filter-chip.tsx'
import { contactWords } from '../../words/contacts.ts'
import { words } from '../../words/words.ts'
import { filterOfState, type State, states } from './search.ts'
import { useContactsSearch } from './use-contacts-search.ts'

/** The numbers of all states come from one scan, so that they add up. */
function useCounts() {
  const business_id = useBusinessId()
  const usage = {
    queryKey: ['meta.usage', business_id],
    queryFn: ({ signal }: { signal: AbortSignal }) => api.meta.usage({ business_id }, { signal }),
    staleTime: 30_000,
    select: (data: Awaited<ReturnType<typeof api.meta.usage>>) =>
      data.counters.find(({ metric }) => metric === 'contacts')?.used,
  }
  const { data: all } = useQuery(usage)
  const { data: byState } = useQuery({
    queryKey: ['segment.explain', business_id, 'states'],
    queryFn: ({ signal }) =>
      api.segment.explain({ business_id, filter: { or: states.map(filterOfState) } }, { signal }),
    staleTime: 30_000,
    select: ({ conditions }) =>
      new Map(
        states.map((state) => [
          state,
          conditions
            .filter(({ condition }) => isOfState(condition, state))
            .reduce((sum, { alone }) => sum + (alone ?? 0), 0),
        ]),
      ),
  })
  return { all, byState }
}

/** Whether the condition is one of those that the state's filter joins. */
function isOfState(condition: object, state: State): boolean {
  const is = 'is' in condition ? condition.is : undefined
  return is === state || (state === 'unsubscribed' && is === 'stopped')
}

export function Chips() {
  const business = useBusinessId()
  const { search, change } = useContactsSearch()
  const counts = useCounts()
  const contacts = contactWords
  return (
    <ChipRow>
      <FilterChip
        on={search.edit === true || search.filter !== undefined}
        icon="segment"
        onClick={() => change({ edit: search.edit ? undefined : true })}
      >
        {contacts.filter}
      </FilterChip>
      {search.filter && (
        <button
          type="button"
          onClick={() => change({ filter: undefined, edit: undefined })}
          className="shrink-0 px-1 text-sm whitespace-nowrap text-link hover:underline"
        >
          {contacts.clear}
        </button>
      )}
      <span className="mx-1 h-4 w-px shrink-0 bg-line" />
      <FilterChip
        on={search.state === undefined}
        count={counts.all}
        onClick={() => change({ state: undefined })}
      >
        {contacts.all}
      </FilterChip>
      {states.map((state) => (
        <FilterChip
          key={state}
          on={search.state === state}
          count={counts.byState?.get(state)}
          onClick={() => change({ state: search.state === state ? undefined : state })}
        >
          {contacts.states[state]}
        </FilterChip>
      ))}
      <Link
        to="/$business/suppressions"
        params={{ business }}
        className="ml-auto shrink-0 px-1 text-sm whitespace-nowrap text-link hover:underline"
      >
        {words.nav.suppressions}
      </Link>
    </ChipRow>
  )
}
