/** Saved mails and texts with placeholders, each as it renders. */
import { Link, Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ListPage, useList } from '../../parts/list-page.tsx'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { TagChip } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ChipRow, FilterChip } from '../../ui/filter-chip.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Empty } from '../../ui/states.tsx'
import { contactWords } from '../../words/contacts.ts'
import { templateWords } from '../../words/lists.ts'
import { ago, number } from '../../words/words.ts'

export type Template = Awaited<ReturnType<typeof api.template.list>>['templates'][number]

const NewTemplate = lazyPart(() => import('./new-template.tsx'), 'NewTemplate')

const from = '/$business/templates' as const

export function Templates() {
  const business = useBusinessId()
  const may = useMay('editor')
  const { open, q, tag } = useSearch({ from })
  const navigate = useNavigate({ from })
  const [isMaking, setMaking] = useState(false)
  const list = useList(['template.list', business, { q, tag }], (page, options) =>
    api.template.list(
      { business_id: business, ...page, ...(q && { q }), ...(tag && { tag }) },
      options,
    ),
  )
  const tags = list.data?.pages[0]?.tags ?? []
  const templates = templateWords
  const columns: RowsColumn<Template>[] = [
    {
      id: 'name',
      header: templates.name,
      cell: ({ template_id, name, tags: own }) => (
        <span className="flex items-center gap-2">
          <Link
            to="/$business/templates/$template"
            params={{ business, template: template_id }}
            className="min-w-0 truncate font-medium"
          >
            <bdi>{name}</bdi>
          </Link>
          <span className="flex shrink-0 gap-1 max-sm:hidden">
            {own.slice(0, 3).map((entry) => (
              <TagChip key={entry}>{entry}</TagChip>
            ))}
          </span>
        </span>
      ),
    },
    {
      id: 'key',
      header: templates.details.key,
      className: 'w-44 text-muted max-lg:hidden',
      cell: ({ key }) => key !== null && <code className="text-sm">{key}</code>,
    },
    {
      id: 'channel',
      header: templates.channel,
      className: 'w-24',
      cell: ({ channel }) => contactWords.channel[channel],
    },
    {
      id: 'version',
      header: templates.version,
      className: 'w-24 tabular-nums max-sm:hidden',
      cell: ({ version }) => number(version),
    },
    {
      id: 'updated',
      header: templates.updated,
      className: 'w-40 text-muted max-sm:w-28',
      cell: ({ updated_at }) => ago(updated_at),
    },
  ]
  const create = may && (
    <Button look="main" icon="plus" onClick={() => setMaking(true)}>
      {templates.create}
    </Button>
  )
  const chooseTag = (next: string | undefined) =>
    void navigate({ search: { ...(q && { q }), ...(next && { tag: next }) } })
  // Where a template was shown before it had a page.
  if (open !== undefined) {
    const params = { business, template: open }
    return <Navigate to="/$business/templates/$template" params={params} replace />
  }
  return (
    <ListPage
      title={templates.title}
      actions={create}
      toolbar={
        <div className="grid gap-2">
          <SearchField
            label={templates.search}
            value={q ?? ''}
            onChange={(text) =>
              void navigate({
                search: { ...(tag && { tag }), ...(text && { q: text }) },
                replace: true,
              })
            }
          />
          {tags.length > 0 && (
            <fieldset className="min-w-0">
              <legend className="sr-only">{templates.tags}</legend>
              <ChipRow>
                <FilterChip on={tag === undefined} onClick={() => chooseTag(undefined)}>
                  {templates.allTags}
                </FilterChip>
                {tags.map((entry) => (
                  <FilterChip key={entry} on={entry === tag} onClick={() => chooseTag(entry)}>
                    {entry}
                  </FilterChip>
                ))}
              </ChipRow>
            </fieldset>
          )}
        </div>
      }
      list={list}
      rowsOf={(answer) => answer.templates}
      idOf={({ template_id }) => template_id}
      columns={columns}
      empty={
        q === undefined && tag === undefined ? (
          <Empty icon="template" action={create}>
            {templates.empty}
          </Empty>
        ) : (
          <Empty
            icon="template"
            action={
              <Button onClick={() => void navigate({ search: {} })}>{templates.showAll}</Button>
            }
          >
            {templates.none}
          </Empty>
        )
      }
    >
      {isMaking && (
        <Suspense>
          <NewTemplate onClose={() => setMaking(false)} />
        </Suspense>
      )}
    </ListPage>
  )
}
