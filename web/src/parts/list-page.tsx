/** A page that is one list: its filters, its states, and its rows page by page. */
import {
  type InfiniteData,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Page } from '../ui/page.tsx'
import { Failure, Skeleton } from '../ui/states.tsx'
import { type RowsColumn, RowsTable, type RowsTableProps } from './rows-table.tsx'

const pageSize = 100

interface Paged {
  next_cursor: string | null
}

/** Loads page by page; `ask` gets the arguments that every list accepts. */
export function useList<Answer extends Paged>(
  key: readonly unknown[],
  ask: (
    page: { limit: number; cursor?: string },
    options: { signal: AbortSignal },
  ) => Promise<Answer>,
  refetchInterval: number | false = false,
) {
  return useInfiniteQuery({
    queryKey: key,
    queryFn: ({ signal, pageParam }) =>
      ask({ limit: pageSize, ...(pageParam !== '' && { cursor: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
    refetchInterval,
  })
}

interface ListPageProps<Answer, Row> {
  title: string
  actions?: ReactNode
  /** Shown above the rows, such as filter chips. */
  toolbar?: ReactNode
  list: UseInfiniteQueryResult<InfiniteData<Answer>>
  rowsOf: (answer: Answer) => readonly Row[]
  idOf: (row: Row) => string
  columns: readonly RowsColumn<Row>[]
  /** Shown in place of rows where there are no rows. */
  empty: ReactNode
  /** With pictures, rows are taller. */
  look?: RowsTableProps<Row>['look']
  openId?: string | undefined
  children?: ReactNode
}

export function ListPage<Answer, Row extends object>(props: ListPageProps<Answer, Row>) {
  const { title, list, columns, idOf } = props
  const rows = list.data?.pages.flatMap(props.rowsOf) ?? []
  return (
    <Page fill title={title} actions={props.actions}>
      {props.toolbar && (
        <div className="border-b border-line px-5 py-2 max-sm:px-4">{props.toolbar}</div>
      )}
      {list.error && (
        <div className="p-4">
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      {list.isPending && !list.error && <Skeleton />}
      {list.data && rows.length === 0 && !list.hasNextPage && props.empty}
      {(rows.length > 0 || list.hasNextPage) && (
        <RowsTable
          label={title}
          rows={rows}
          idOf={idOf}
          columns={columns}
          openId={props.openId}
          look={props.look}
          more={{
            has: list.hasNextPage,
            loading: list.isFetchingNextPage,
            load: () => void list.fetchNextPage(),
          }}
        />
      )}
      {props.children}
    </Page>
  )
}
