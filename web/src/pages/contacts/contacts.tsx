/** All contacts of a business: search, filter, and one person beside the list. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useMemo, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { ExportButton } from '../../parts/export-button.tsx'
import { RowsTable } from '../../parts/rows-table.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { useKeys } from '../../shell/shortcuts.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Page } from '../../ui/page.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { contactWords } from '../../words/contacts.ts'
import { importWords } from '../../words/imports.ts'
import { Chips } from './chips.tsx'
import { contactColumns } from './columns.tsx'
import { exportOf } from './export-of.ts'
import { contactsQuery } from './query.ts'
import { useContactsSearch } from './use-contacts-search.ts'

// Parts are loaded when they are opened, so that the list appears sooner.
const ContactDrawer = lazyPart(() => import('./contact-drawer.tsx'), 'ContactDrawer')
const ContactForm = lazyPart(() => import('./contact-form.tsx'), 'ContactForm')
const FilterPanel = lazyPart(() => import('./filter-panel.tsx'), 'FilterPanel')
const BulkBar = lazyPart(() => import('./bulk-bar.tsx'), 'BulkBar')

export function Contacts() {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const mayImport = useMay('admin')
  const { search, change, changeAndWait } = useContactsSearch()
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const list = useInfiniteQuery(contactsQuery(business_id, search))
  const rows = useMemo(
    () => list.data?.pages.flatMap(({ contacts }) => contacts) ?? [],
    [list.data],
  )
  const isNarrowed = Boolean(search.q ?? search.state ?? search.filter ?? search.segment)
  const contacts = contactWords
  const endSelection = () => select(new Set())
  useKeys({ Escape: endSelection })
  return (
    <Page
      fill
      title={contacts.title}
      actions={
        <>
          <ExportButton of={exportOf(search)} />
          {mayImport && <ImportLink />}
          {may && (
            <Button look="main" icon="plus" onClick={() => change({ add: true })}>
              {contacts.add}
            </Button>
          )}
        </>
      }
    >
      <div className="grid gap-2 border-b border-line px-5 py-2 max-sm:px-4">
        <SearchField
          label={contacts.search}
          value={search.q ?? ''}
          onChange={(q) => change({ q: q === '' ? undefined : q }, true)}
        />
        <Chips />
      </div>
      {search.edit && (
        <Suspense fallback={<Skeleton lines={2} />}>
          <FilterPanel />
        </Suspense>
      )}
      {list.error && (
        <div className="p-4">
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      {list.isPending && !list.error && <Skeleton lines={12} />}
      {list.data && rows.length === 0 && !list.hasNextPage && (
        <Empty
          icon="people"
          action={
            isNarrowed ? (
              <Link
                to="/$business/contacts"
                params={{ business: business_id }}
                className={buttonClass()}
              >
                {contacts.clear}
              </Link>
            ) : (
              may && (
                <div className="flex flex-wrap justify-center gap-2">
                  {mayImport && <ImportLink />}
                  <Button look="main" icon="plus" onClick={() => change({ add: true })}>
                    {contacts.add}
                  </Button>
                </div>
              )
            )
          }
        >
          {isNarrowed ? contacts.nobody : contacts.empty}
        </Empty>
      )}
      {list.data && !list.isPlaceholderData && isOnlyNear(search.q, rows) && (
        <p role="status" className="border-b border-line px-5 py-2 text-sm text-muted max-sm:px-4">
          {contacts.nearest}
        </p>
      )}
      {(rows.length > 0 || list.hasNextPage) && (
        <RowsTable
          label={contacts.title}
          rows={rows}
          idOf={({ contact_id }) => contact_id}
          columns={contactColumns}
          more={{
            has: list.hasNextPage,
            loading: list.isFetchingNextPage,
            load: () => void list.fetchNextPage(),
          }}
          {...(may && { selected, onSelect: select })}
          openId={search.open}
        />
      )}
      <Suspense>
        {selected.size > 0 && (
          <BulkBar
            contacts={rows.filter(({ contact_id }) => selected.has(contact_id))}
            onEnd={endSelection}
          />
        )}
        <ContactDrawer id={search.open} onClose={() => changeAndWait({ open: undefined })} />
        {search.add && (
          <ContactForm
            onClose={() => change({ add: undefined })}
            onKnown={(open) => change({ add: undefined, open })}
          />
        )}
      </Suspense>
    </Page>
  )
}

/**
 * Whether an address was searched and nobody's has it: the service lists neighbours with one wrong
 * letter then. Of a domain with letters beyond ASCII only the part before the @ is compared, since
 * such a domain is found in two spellings.
 */
function isOnlyNear(q: string | undefined, rows: readonly { email?: string | null }[]): boolean {
  const term = q?.normalize('NFC').trim().toLowerCase() ?? ''
  const at = term.indexOf('@')
  if (at < 1 || /\s/.test(term) || rows.length === 0) return false
  const part = /^[!-~]+$/.test(term) ? term : term.slice(0, at + 1)
  return rows.every(({ email }) => !email?.toLowerCase().includes(part))
}

function ImportLink() {
  const business = useBusinessId()
  return (
    <Link to="/$business/contacts/import" params={{ business }} className={buttonClass()}>
      <Icon name="upload" />
      {importWords.action}
    </Link>
  )
}
