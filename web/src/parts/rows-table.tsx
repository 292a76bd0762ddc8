/** Rows of 36 px, or of 60 with pictures, of which only the visible ones are drawn. The next page loads near the end. */
import {
  type ColumnDef,
  createColumnHelper,
  type RowData,
  rowSelectionFeature,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useKeys } from '../shell/shortcuts.ts'
import { cx } from '../ui/classes.ts'
import { words } from '../words/words.ts'

/** The height of a row in pixels, at the usual size of text. */
const rowHeights = { plain: 36, pictures: 60 } as const
/** By how much the reader's text is larger than the usual 16 px. */
const textScale = () => Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / 16
const features = tableFeatures({ rowSelectionFeature })

export interface RowsColumn<T> {
  id: string
  header: string
  cell: (row: T) => ReactNode
  /** Its width and alignment, and where it is hidden, such as `w-40 max-sm:hidden`. */
  className?: string
}

export interface RowsTableProps<T> {
  label: string
  rows: readonly T[]
  idOf: (row: T) => string
  /** The first column contains the link that opens the row. */
  columns: readonly RowsColumn<T>[]
  /** With pictures, rows are taller. */
  look?: keyof typeof rowHeights | undefined
  more?: { has: boolean; loading: boolean; load: () => void }
  /** The selected ids, if rows can be selected. */
  selected?: ReadonlySet<string>
  onSelect?: (ids: ReadonlySet<string>) => void
  /** The row whose details are shown. */
  openId?: string | undefined
}

export function RowsTable<T extends RowData>(props: RowsTableProps<T>) {
  const { rows, idOf, columns, look = 'plain', more, selected, onSelect, openId } = props
  const frame = useRef<HTMLDivElement>(null)
  const tableId = useId()
  const table = useTable<typeof features, T>({
    features,
    data: rows as T[],
    columns: useMemo(() => columnDefs(columns), [columns]),
    getRowId: idOf,
    state: { rowSelection: selectionOf(selected) },
    onRowSelectionChange: (change) => {
      const after = typeof change === 'function' ? change(selectionOf(selected)) : change
      onSelect?.(new Set(Object.keys(after)))
    },
  })
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeights[look] * textScale(),
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (more?.has && !more.loading && last >= rows.length - 30) more.load()
  }, [more, last, rows.length])
  useRowKeys({
    frame,
    count: rows.length,
    scrollTo: (place) => virtual.scrollToIndex(place),
    toggle: (place) => onSelect && table.getRowModel().rows[place]?.toggleSelected(),
  })

  const ends = useMemo(() => endsOf(columns), [columns])
  const above = items[0]?.start ?? 0
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  const all = table.getRowModel().rows
  return (
    <div ref={frame} className="relative min-h-0 flex-1 overflow-auto">
      <table
        aria-label={props.label}
        aria-rowcount={more?.has ? -1 : rows.length + 1}
        className="w-full table-fixed border-separate border-spacing-0"
      >
        <thead>
          <tr>
            {onSelect && (
              <th scope="col" className={cx(headClass, 'w-10 pl-5 max-sm:pl-4')}>
                <RowCheckbox
                  label={words.table.selectAll}
                  checked={rows.length > 0 && table.getIsAllRowsSelected()}
                  onChange={table.getToggleAllRowsSelectedHandler()}
                />
              </th>
            )}
            {columns.map(({ id, header, className }) => (
              <th key={id} scope="col" className={cx(headClass, className, ends.get(id))}>
                {header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {above > 0 && <Space height={above} />}
          {items.map(({ index }) => {
            const row = all[index]
            if (!row) return null
            const isOpen = row.id === openId
            return (
              <tr
                key={row.id}
                data-place={index}
                aria-rowindex={index + 2}
                aria-selected={onSelect ? row.getIsSelected() : undefined}
                onClick={openRow}
                className={cx(
                  'group cursor-pointer hover:bg-hover',
                  look === 'plain' ? 'h-9' : 'h-15',
                  (isOpen || row.getIsSelected()) && 'bg-accent-ground',
                )}
              >
                {onSelect && (
                  <td className={cx(cellClass, 'pl-5 max-sm:pl-4')}>
                    <RowCheckbox
                      label={words.table.select}
                      of={`${tableId}-${row.id}`}
                      checked={row.getIsSelected()}
                      onChange={row.getToggleSelectedHandler()}
                    />
                  </td>
                )}
                {columns.map(({ id, cell, className }, column) => (
                  <td
                    key={id}
                    id={column === 0 ? `${tableId}-${row.id}` : undefined}
                    className={cx(cellClass, className, ends.get(id))}
                  >
                    <div className="truncate">{cell(row.original)}</div>
                  </td>
                ))}
              </tr>
            )
          })}
          {below > 0 && <Space height={below} />}
        </tbody>
      </table>
    </div>
  )
}

/** A box with a target of 24 px around it, which takes no room in the row; named by the row's first cell too. */
function RowCheckbox(props: { label: string; of?: string } & ComponentProps<'input'>) {
  const { label, of: cell, ...rest } = props
  const id = useId()
  return (
    <label className="-m-1.5 block w-fit p-1.5">
      <input
        {...rest}
        id={id}
        type="checkbox"
        aria-label={label}
        aria-labelledby={cell && `${id} ${cell}`}
        className="block size-3.5 accent-accent"
      />
    </label>
  )
}

const headClass =
  'sticky top-0 z-1 h-8 border-b border-line bg-surface px-2 text-left text-xs font-medium text-muted first:pl-5 last:pr-5 max-sm:first:pl-4 max-sm:last:pr-4'
const cellClass =
  'border-b border-line px-2 first:pl-5 last:pr-5 max-sm:first:pl-4 max-sm:last:pr-4'

/** From the widest screen to the narrowest, each with what else it hides. */
const narrower = [
  { hidden: ['max-lg:hidden'], end: 'max-lg:pr-5' },
  { hidden: ['max-lg:hidden', 'max-md:hidden'], end: 'max-md:pr-5' },
  { hidden: ['max-lg:hidden', 'max-md:hidden', 'max-sm:hidden'], end: 'max-sm:pr-4' },
]

/** The distance to the edge of the page, for the last column that a screen shows. */
function endsOf<T>(columns: readonly RowsColumn<T>[]): ReadonlyMap<string, string> {
  const ends = new Map<string, string>()
  for (const { hidden, end } of narrower) {
    const last = columns.findLast(
      ({ className = '' }) => !hidden.some((word) => className.includes(word)),
    )
    if (last) ends.set(last.id, cx(ends.get(last.id), end))
  }
  return ends
}

/** The rows out of view, as one empty row. */
const Space = ({ height }: { height: number }) => (
  <tr>
    <td style={{ height }} />
  </tr>
)

const selectionOf = (ids: ReadonlySet<string> = new Set()) =>
  Object.fromEntries([...ids].map((id) => [id, true as const]))

function columnDefs<T extends RowData>(columns: readonly RowsColumn<T>[]) {
  const helper = createColumnHelper<typeof features, T>()
  return columns.map(({ id, header }) => helper.display({ id, header })) as ColumnDef<
    typeof features,
    T
  >[]
}

/** A click anywhere in a row follows its link, unless it was on another clickable element. */
function openRow({ target, currentTarget }: MouseEvent<HTMLTableRowElement>): void {
  if (target instanceof Element && target.closest('a, button, input, label')) return
  if (getSelection()?.toString()) return
  currentTarget.querySelector('a')?.click()
}

interface RowKeys {
  frame: { current: HTMLDivElement | null }
  count: number
  scrollTo: (place: number) => void
  toggle: (place: number) => void
}

/** `j` and `k` move from row to row, and `x` selects. Enter follows the focused link. */
function useRowKeys({ frame, count, scrollTo, toggle }: RowKeys): void {
  const [place, setPlace] = useState(-1)
  const move = (step: number) => {
    const next = Math.max(0, Math.min(count - 1, place + step))
    setPlace(next)
    scrollTo(next)
    requestAnimationFrame(() => {
      frame.current?.querySelector<HTMLElement>(`[data-place="${next}"] a`)?.focus()
    })
  }
  useKeys({
    j: () => count > 0 && move(1),
    k: () => count > 0 && move(-1),
    x: () => place >= 0 && toggle(place),
  })
}
