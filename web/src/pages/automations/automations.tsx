/** The automations of a business, newest first. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { AutomationStatus } from '../../parts/automation-status.tsx'
import { ListPage, useList } from '../../parts/list-page.tsx'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { Button } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Empty } from '../../ui/states.tsx'
import { automationWords } from '../../words/automations.ts'
import { ago, number } from '../../words/words.ts'
import type { ListedAutomation } from './model.ts'

const NewAutomation = lazyPart(() => import('./new-automation.tsx'), 'NewAutomation')

const from = '/$business/automations' as const

export function Automations() {
  const business = useBusinessId()
  const may = useMay('editor')
  const { add } = useSearch({ from })
  const navigate = useNavigate({ from })
  const make = (isMaking: boolean) =>
    void navigate({ search: isMaking ? { add: true } : {}, replace: true })
  const w = automationWords
  const list = useList(
    ['sequence.list', business],
    (page, options) => api.sequence.list({ business_id: business, ...page }, options),
    30_000,
  )
  const columns: RowsColumn<ListedAutomation>[] = [
    {
      id: 'name',
      header: w.name,
      cell: ({ sequence_id, name }) => (
        <Link
          to="/$business/automations/$automation"
          params={{ business, automation: sequence_id }}
          className="font-medium"
        >
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      id: 'status',
      header: w.status,
      className: 'w-44 max-sm:w-40',
      cell: ({ status, start_waits }) => (
        <AutomationStatus status={start_waits ? 'awaiting_approval' : status} />
      ),
    },
    {
      id: 'inside',
      header: w.inside,
      className: 'w-28 text-right tabular-nums max-sm:w-18',
      cell: ({ people }) => number(people.inside),
    },
    {
      id: 'entered',
      header: w.entered,
      className: 'w-28 text-right tabular-nums max-sm:hidden',
      cell: ({ people }) => number(people.entered),
    },
    {
      id: 'finished',
      header: w.finished,
      className: 'w-32 text-right tabular-nums max-md:hidden',
      cell: ({ people }) => number(people.finished),
    },
    {
      id: 'updated',
      header: w.updated,
      className: 'w-40 text-muted max-lg:hidden',
      cell: ({ updated_at }) => ago(updated_at),
    },
  ]
  const toFeeds = (
    <Link to="/$business/feeds" params={{ business }} className="text-link hover:underline">
      {w.feeds}
    </Link>
  )
  const button = may && (
    <Button look="main" icon="plus" onClick={() => make(true)}>
      {w.add}
    </Button>
  )
  return (
    <ListPage
      title={w.title}
      actions={
        <>
          {toFeeds}
          {button}
        </>
      }
      list={list}
      rowsOf={(answer) => answer.sequences}
      idOf={({ sequence_id }) => sequence_id}
      columns={columns}
      empty={
        <Empty
          icon="automation"
          action={
            may && (
              <Button look="main" onClick={() => make(true)}>
                {w.fromGallery}
              </Button>
            )
          }
        >
          {w.empty}
        </Empty>
      }
    >
      {add && may && (
        <Suspense>
          <NewAutomation onClose={() => make(false)} />
        </Suspense>
      )}
    </ListPage>
  )
}
