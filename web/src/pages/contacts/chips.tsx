/** The quick filters, each with the number of contacts that match. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ChipRow, FilterChip } from '../../ui/filter-chip.tsx'
import { contactWords } from '../../words/contacts.ts'
import { words } from '../../words/words.ts'
import { consents, filtersByConsent } from './search.ts'
import { useContactsSearch } from './use-contacts-search.ts'

function useCounts() {
  const business_id = useBusinessId()
  const usage = {
    queryKey: ['meta.usage', business_id],
    queryFn: ({ signal }: { signal: AbortSignal }) => api.meta.usage({ business_id }, { signal }),
    staleTime: 30_000,
    select: (data: Awaited<ReturnType<typeof api.meta.usage>>) =>
      data.counters.find(({ metric }) => metric === 'contacts')?.used,
  }
  const byConsent = consents.map((is) => ({
    queryKey: ['segment.explain', business_id, 'consent', is],
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      api.segment.explain({ business_id, filter: filtersByConsent[is] }, { signal }),
    staleTime: 30_000,
  }))
  const { data: all } = useQuery(usage)
  const others = useQueries({ queries: byConsent })
  return {
    all,
    of: (place: number) => others[place]?.data?.count,
  }
}

export function Chips() {
  const business = useBusinessId()
  const { search, change } = useContactsSearch()
  const counts = useCounts()
  const contacts = contactWords
  const names = {
    subscribed: contacts.subscribed,
    stopped: contacts.stopped,
    unsubscribed: contacts.unsubscribed,
    none: contacts.notAsked,
  }
  return (
    <ChipRow>
      <FilterChip
        on={search.consent === undefined}
        count={counts.all}
        onClick={() => change({ consent: undefined })}
      >
        {contacts.all}
      </FilterChip>
      {consents.map((consent, place) => (
        <FilterChip
          key={consent}
          on={search.consent === consent}
          count={counts.of(place)}
          onClick={() => change({ consent: search.consent === consent ? undefined : consent })}
        >
          {names[consent]}
        </FilterChip>
      ))}
      <span className="mx-1 h-4 w-px shrink-0 bg-line" />
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
