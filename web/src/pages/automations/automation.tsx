/** One automation: its path with people and results, its editor, its start, and one person's way. */
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { unlessTold } from '../../api/liveness.ts'
import { AutomationStatus } from '../../parts/automation-status.tsx'
import { ChipRow, FilterChip } from '../../ui/filter-chip.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Page } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { automationWords } from '../../words/automations.ts'
import { Controls } from './controls.tsx'
import { type AutomationTab, automationTabs } from './search.ts'

const Path = lazyPart(() => import('./path.tsx'), 'Path')
const Editor = lazyPart(() => import('./editor.tsx'), 'Editor')
const NewEditor = lazyPart(() => import('./editor.tsx'), 'NewEditor')
const Start = lazyPart(() => import('./start.tsx'), 'Start')
const OnePerson = lazyPart(() => import('./one-person.tsx'), 'OnePerson')

const from = '/$business/automations/$automation' as const

export function AutomationPage() {
  const { automation } = useParams({ from })
  return automation === 'new' ? <NewPage /> : <SavedPage key={automation} id={automation} />
}

function ToAll() {
  const business = useBusinessId()
  return (
    <Link
      to="/$business/automations"
      params={{ business }}
      className="text-link hover:underline max-sm:hidden"
    >
      {automationWords.all}
    </Link>
  )
}

function NewPage() {
  return (
    <Page title={automationWords.newName} actions={<ToAll />}>
      <Suspense fallback={<Skeleton lines={9} />}>
        <NewEditor />
      </Suspense>
    </Page>
  )
}

function SavedPage({ id }: { id: string }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { tab = 'path' } = useSearch({ from })
  const navigate = useNavigate({ from })
  const w = automationWords
  const { data, error, refetch } = useQuery({
    queryKey: ['sequence.get', business_id, id],
    queryFn: ({ signal }) => api.sequence.get({ business_id, sequence_id: id }, { signal }),
    refetchInterval: unlessTold(10_000),
  })
  const go = (to: AutomationTab) =>
    void navigate({ search: to === 'path' ? {} : { tab: to }, replace: true })
  const panels = { path: Path, edit: Editor, start: Start, person: OnePerson }
  const Panel = panels[tab]
  const shownTabs = automationTabs.filter((entry) => entry !== 'edit' || may)
  return (
    <Page
      title={<bdi>{data?.name ?? w.title}</bdi>}
      detail={data && <AutomationStatus status={data.status} />}
      actions={
        <>
          <ToAll />
          {data && (
            <Controls automation={data} {...(tab !== 'start' && { onStart: () => go('start') })} />
          )}
        </>
      }
    >
      <div className="border-b border-line px-5 py-2 max-sm:px-4">
        <ChipRow>
          {shownTabs.map((entry) => (
            <FilterChip key={entry} on={entry === tab} onClick={() => go(entry)}>
              {w.tabs[entry]}
            </FilterChip>
          ))}
        </ChipRow>
      </div>
      {error && (
        <div className="p-4">
          <Failure error={error} onRetry={() => void refetch()} />
        </div>
      )}
      {data ? (
        <Suspense fallback={<Skeleton lines={9} />}>
          <Panel automation={data} onGo={go} />
        </Suspense>
      ) : (
        !error && <Skeleton lines={9} />
      )}
    </Page>
  )
}
