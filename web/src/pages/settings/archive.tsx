import { useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Checkbox, Input, Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { settingsWords } from '../../words/settings.ts'
import type { PartProps, Settings } from './model.ts'

interface Typed {
  on: boolean
  title: string
  description: string
  form_id: string
}

/** The setting as the form has it, where an empty text stands for none. */
export function archiveIn({ archive }: Settings): Typed {
  const { on, title, description, form_id } = archive
  return { on, title: title ?? '', description: description ?? '', form_id: form_id ?? '' }
}

/** Whether everybody may see the emails that campaigns put there, and what the page says. */
export function Archive({ settings, changes, setChanges, fault }: PartProps) {
  const { archive } = settingsWords
  const typed: Typed = { ...archiveIn(settings), ...changes.archive }
  const change = (part: Partial<Typed>) =>
    setChanges({ ...changes, archive: { ...typed, ...part } })
  return (
    <Card title={archive.title}>
      <div className="grid gap-4">
        <p className="text-muted">{archive.about}</p>
        <Checkbox
          label={archive.on}
          checked={typed.on}
          onChange={({ target }) => change({ on: target.checked })}
        />
        {typed.on && (
          <>
            <Input
              label={archive.heading}
              hint={archive.headingHint}
              value={typed.title}
              onChange={({ target }) => change({ title: target.value })}
              fault={fault('archive.title')}
            />
            <Input
              label={archive.description}
              value={typed.description}
              onChange={({ target }) => change({ description: target.value })}
              fault={fault('archive.description')}
            />
            <FormChoice value={typed.form_id} onChange={(form_id) => change({ form_id })} />
          </>
        )}
        {settings.archive.on && (
          <div className="flex flex-wrap items-center gap-3">
            <a
              href={settings.archive.url}
              target="_blank"
              rel="noreferrer"
              className="min-w-0 break-all text-link hover:underline"
            >
              {settings.archive.url}
            </a>
            <CopyButton text={settings.archive.url} label={archive.copy} />
          </div>
        )}
      </div>
    </Card>
  )
}

/** The published forms, and the chosen one whatever became of it. */
function FormChoice({ value, onChange }: { value: string; onChange: (form: string) => void }) {
  const business_id = useBusinessId()
  const { archive } = settingsWords
  const forms = useQuery({
    queryKey: ['form.list', business_id, 'published'],
    queryFn: ({ signal }) =>
      api.form.list({ business_id, status: 'published', limit: 200 }, { signal }),
  })
  const listed = (forms.data?.forms ?? []).map(({ form_id, name }) => [form_id, name] as const)
  const isListed = value === '' || listed.some(([form_id]) => form_id === value)
  return (
    <Select
      label={archive.form}
      hint={archive.formHint}
      options={[['', archive.noForm], ...listed, ...(isListed ? [] : [[value, value] as const])]}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}
