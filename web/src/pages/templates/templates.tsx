/** Saved mails and texts with placeholders, each as it renders. */
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { ListPage, useList } from '../../parts/list-page.tsx'
import type { RowsColumn } from '../../parts/rows-table.tsx'
import { Empty } from '../../ui/states.tsx'
import { ago, number, words } from '../../words/words.ts'

export type Template = Awaited<ReturnType<typeof api.template.list>>['templates'][number]

const TemplateDrawer = lazy(async () => ({
  default: (await import('./template-drawer.tsx')).TemplateDrawer,
}))

const from = '/$business/templates' as const

export function Templates() {
  const business = useBusinessId()
  const { open } = useSearch({ from })
  const navigate = useNavigate({ from })
  const list = useList(['template.list', business], (page, options) =>
    api.template.list({ business_id: business, ...page }, options),
  )
  const { templates } = words
  const columns: RowsColumn<Template>[] = [
    {
      id: 'name',
      header: templates.name,
      cell: ({ template_id, name }) => (
        <Link
          to="/$business/templates"
          params={{ business }}
          search={{ open: template_id }}
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
      cell: ({ channel }) => words.contacts.channel[channel],
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
  return (
    <ListPage
      title={templates.title}
      list={list}
      rowsOf={(answer) => answer.templates}
      idOf={({ template_id }) => template_id}
      columns={columns}
      openId={open}
      empty={
        <Empty icon="template" call={call}>
          {templates.empty}
        </Empty>
      }
    >
      <Suspense>
        <TemplateDrawer id={open} onClose={() => void navigate({ search: {} })} />
      </Suspense>
    </ListPage>
  )
}
