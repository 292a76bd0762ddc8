/** Who did what through which connection, in a business. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ListPage, useList } from '../../parts/list-page.tsx'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Page } from '../../ui/page.tsx'
import { Empty } from '../../ui/states.tsx'
import { auditWords } from '../../words/audit.ts'
import { importWords } from '../../words/imports.ts'
import { ago, moment } from '../../words/words.ts'
import { EntryDrawer } from './entry-drawer.tsx'
import { ExportAudit } from './export-audit.tsx'
import { Filters } from './filters.tsx'
import { inputOf } from './input.ts'
import { type Entry, operationName, personName, subjectName, throughName } from './names.tsx'
import type { AuditFilters } from './search.ts'

const from = '/$business/audit' as const

export function Audit() {
  const audit = auditWords
  if (useMay('owner')) return <Log />
  return (
    <Page title={audit.title}>
      <Empty icon="audit">{audit.onlyOwners}</Empty>
    </Page>
  )
}

function Log() {
  const business_id = useBusinessId()
  const audit = auditWords
  const { open, ...filters } = useSearch({ from })
  const navigate = useNavigate({ from })
  const list = useList(['audit.list', business_id, filters], (page, options) =>
    api.audit.list({ business_id, ...page, ...inputOf(filters) }, options),
  )
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? []
  const show = (search: AuditFilters) => void navigate({ search })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <ListPage
      title={audit.title}
      actions={<ExportAudit filters={filters} />}
      toolbar={<Filters filters={filters} onChange={show} />}
      list={list}
      rowsOf={(answer) => answer.entries}
      idOf={({ entry_id }) => entry_id}
      columns={columns}
      openId={open}
      empty={
        isFiltered ? (
          <Empty icon="audit" action={<Button onClick={() => show({})}>{audit.clear}</Button>}>
            {audit.none}
          </Empty>
        ) : (
          // No assistant reads the log, so it is told the same first step and not the list.
          <Empty
            icon="audit"
            action={
              <Link
                to="/$business/contacts/import"
                params={{ business: business_id }}
                className={buttonClass('main')}
              >
                {importWords.action}
              </Link>
            }
          >
            {audit.empty}
          </Empty>
        )
      }
    >
      <EntryDrawer
        entry={entries.find(({ entry_id }) => entry_id === open)}
        onClose={() => void navigate({ search: filters })}
        onFilter={show}
      />
    </ListPage>
  )
}

const columns: readonly RowsColumn<Entry>[] = [
  {
    id: 'what',
    get header() {
      return auditWords.what
    },
    cell: ({ entry_id, operation }) => (
      <Link
        from={from}
        to={from}
        search={(before) => ({ ...before, open: entry_id })}
        className="font-medium"
      >
        {operationName(operation)}
      </Link>
    ),
    className: 'w-60 max-sm:w-[42%]',
  },
  {
    id: 'who',
    get header() {
      return auditWords.who
    },
    cell: (entry) => <bdi>{personName(entry)}</bdi>,
  },
  {
    id: 'through',
    get header() {
      return auditWords.through
    },
    cell: (entry) => <bdi className="text-muted">{throughName(entry) ?? '—'}</bdi>,
    className: 'w-44 max-md:hidden',
  },
  {
    id: 'subject',
    get header() {
      return auditWords.subject
    },
    cell: (entry) => <bdi className="text-muted">{subjectName(entry) ?? '—'}</bdi>,
    className: 'w-56 max-lg:hidden',
  },
  {
    id: 'when',
    get header() {
      return auditWords.when
    },
    cell: ({ created_at }) => (
      <time dateTime={created_at} title={moment(created_at)} className="text-muted">
        <span className="max-sm:hidden">{ago(created_at)}</span>
        <span className="sm:hidden">{ago(created_at, 'narrow')}</span>
      </time>
    ),
    className: 'w-32 max-sm:w-24',
  },
]
