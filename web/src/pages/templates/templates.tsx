/** Saved mails and texts with placeholders, each as it renders. */
import { Link, Navigate, useSearch } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ListPage, useList } from '../../parts/list-page.tsx'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { Button } from '../../ui/button.tsx'
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
  const { open } = useSearch({ from })
  const [isMaking, setMaking] = useState(false)
  const list = useList(['template.list', business], (page, options) =>
    api.template.list({ business_id: business, ...page }, options),
  )
  const templates = templateWords
  const columns: RowsColumn<Template>[] = [
    {
      id: 'name',
      header: templates.name,
      cell: ({ template_id, name }) => (
        <Link
          to="/$business/templates/$template"
          params={{ business, template: template_id }}
          className="font-medium"
        >
          <bdi>{name}</bdi>
        </Link>
      ),
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
  const call = {
    tool: 'template.save',
    arguments: { name: 'Welcome', subject: 'Hello', text: 'Hello {{ contact.name }}' },
  }
  const create = may && (
    <Button look="main" icon="plus" onClick={() => setMaking(true)}>
      {templates.create}
    </Button>
  )
  // Where a template was shown before it had a page.
  if (open !== undefined) {
    const params = { business, template: open }
    return <Navigate to="/$business/templates/$template" params={params} replace />
  }
  return (
    <ListPage
      title={templates.title}
      actions={create}
      list={list}
      rowsOf={(answer) => answer.templates}
      idOf={({ template_id }) => template_id}
      columns={columns}
      empty={
        <Empty icon="template" call={call} action={create}>
          {templates.empty}
        </Empty>
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
