/** The feeds of a business, newest first. */
import { Link } from '@tanstack/react-router'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ListPage, useList } from '../../parts/list-page.tsx'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { Empty } from '../../ui/states.tsx'
import { feedWords } from '../../words/feeds.ts'
import { moment, number } from '../../words/words.ts'
import { FeedStatus } from './feed-status.tsx'

type Listed = Awaited<ReturnType<typeof api.feed.list>>['feeds'][number]

export function Feeds() {
  const business = useBusinessId()
  const may = useMay('editor')
  const w = feedWords
  const list = useList(
    ['feed.list', business],
    (page, options) => api.feed.list({ business_id: business, ...page }, options),
    30_000,
  )
  const columns: RowsColumn<Listed>[] = [
    {
      id: 'name',
      header: w.name,
      cell: ({ feed_id, name }) => (
        <Link
          to="/$business/feeds/$feed"
          params={{ business, feed: feed_id }}
          className="font-medium"
        >
          <bdi>{name}</bdi>
        </Link>
      ),
    },
    {
      id: 'status',
      header: w.status,
      className: 'w-48 max-sm:w-40',
      cell: (feed) => <FeedStatus feed={feed} />,
    },
    {
      id: 'next',
      header: w.next,
      className: 'w-44 text-muted max-md:hidden',
      cell: ({ next_issue_at }) => (next_issue_at === null ? '' : moment(next_issue_at)),
    },
    {
      id: 'issues',
      header: w.issues,
      className: 'w-24 text-right tabular-nums max-sm:hidden',
      cell: ({ issues }) => number(issues),
    },
  ]
  const add = may && (
    <Link
      to="/$business/feeds/$feed"
      params={{ business, feed: 'new' }}
      className={buttonClass('main')}
    >
      {w.add}
    </Link>
  )
  return (
    <ListPage
      title={w.title}
      actions={add}
      list={list}
      rowsOf={(answer) => answer.feeds}
      idOf={({ feed_id }) => feed_id}
      columns={columns}
      empty={
        <Empty icon="automation" action={add}>
          {w.empty}
        </Empty>
      }
    />
  )
}
