/** Filters that are saved under a name, and why each contact matches. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { filterInWords } from '../../parts/filter/filter-words.ts'
import { ListPage, useList } from '../../parts/list-page.tsx'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Empty } from '../../ui/states.tsx'
import { segmentWords } from '../../words/lists.ts'
import { ago } from '../../words/words.ts'

const from = '/$business/segments' as const

// Loaded when a segment is opened, so that the list appears sooner.
const SegmentDrawer = lazyPart(() => import('./segment-drawer.tsx'), 'SegmentDrawer')

export type Segment = Awaited<ReturnType<typeof api.segment.list>>['segments'][number]

export function Segments() {
  const business_id = useBusinessId()
  const { open } = useSearch({ from })
  const navigate = useNavigate({ from })
  const list = useList(['segment.list', business_id, 'pages'], (page, options) =>
    api.segment.list({ business_id, ...page }, options),
  )
  const segments = segmentWords
  const toContacts = (
    <Link
      to="/$business/contacts"
      params={{ business: business_id }}
      search={{ edit: true }}
      className={buttonClass('main')}
    >
      {segments.toContacts}
    </Link>
  )
  return (
    <ListPage
      title={segments.title}
      actions={toContacts}
      list={list}
      rowsOf={(answer) => answer.segments}
      idOf={({ segment_id }) => segment_id}
      columns={columns}
      openId={open}
      empty={
        <Empty icon="segment" action={toContacts}>
          {segments.empty}
        </Empty>
      }
    >
      <Suspense>
        <SegmentDrawer id={open} onClose={() => navigate({ search: {} })} />
      </Suspense>
    </ListPage>
  )
}

const columns: readonly RowsColumn<Segment>[] = [
  {
    id: 'name',
    get header() {
      return segmentWords.name
    },
    cell: ({ segment_id, name }) => (
      <Link from={from} to={from} search={{ open: segment_id }} className="font-medium">
        <bdi>{name}</bdi>
      </Link>
    ),
  },
  {
    id: 'filter',
    get header() {
      return segmentWords.selects
    },
    cell: ({ filter }) => (
      <bdi className="text-muted" title={filterInWords(filter)}>
        {filterInWords(filter)}
      </bdi>
    ),
    className: 'w-1/2 max-md:hidden',
  },
  {
    id: 'changed',
    get header() {
      return segmentWords.changed
    },
    cell: ({ updated_at }) => (
      <time dateTime={updated_at} className="text-muted">
        {ago(updated_at)}
      </time>
    ),
    className: 'w-36',
  },
]
