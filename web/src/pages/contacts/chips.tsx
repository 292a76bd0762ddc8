/** The quick filters, each with how many it fits. */
import { useQueries, useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { number, words } from '../../words/words.ts'
import { consents } from './search.ts'
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
      api.segment.explain({ business_id, filter: { consent: 'email', is } }, { signal }),
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
  const { search, change } = useContactsSearch()
  const counts = useCounts()
  const { contacts } = words
  const names = {
    subscribed: contacts.subscribed,
    unsubscribed: contacts.unsubscribed,
    none: contacts.notAsked,
  }
  return (
    <div className="-mx-5 flex items-center gap-1.5 overflow-x-auto px-5 py-0.5 max-sm:-mx-4 max-sm:px-4">
      <Chip
        on={search.consent === undefined}
        count={counts.all}
        onClick={() => change({ consent: undefined })}
      >
        {contacts.all}
      </Chip>
      {consents.map((consent, place) => (
        <Chip
          key={consent}
          on={search.consent === consent}
          count={counts.of(place)}
          onClick={() => change({ consent: search.consent === consent ? undefined : consent })}
        >
          {names[consent]}
        </Chip>
      ))}
      <span className="mx-1 h-4 w-px shrink-0 bg-line" />
      <Chip
        on={search.edit === true || search.filter !== undefined}
        icon
        onClick={() => change({ edit: search.edit ? undefined : true })}
      >
        {contacts.filter}
      </Chip>
      {search.filter && (
        <button
          type="button"
          onClick={() => change({ filter: undefined, edit: undefined })}
          className="shrink-0 px-1 text-sm whitespace-nowrap text-link hover:underline"
        >
          {contacts.clear}
        </button>
      )}
    </div>
  )
}

function Chip({
  on,
  count,
  icon,
  onClick,
  children,
}: {
  on: boolean
  count?: number | undefined
  icon?: boolean
  onClick: () => void
  children: string
}) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={cx(
        'inline-flex h-6.5 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-sm whitespace-nowrap max-sm:h-8',
        on
          ? 'border-accent bg-accent-ground text-link'
          : 'border-line text-muted hover:bg-hover hover:text-ink',
      )}
    >
      {icon && <Icon name="segment" className="size-3.5" />}
      {children}
      {count !== undefined && <span className="tabular-nums">{number(count)}</span>}
    </button>
  )
}
