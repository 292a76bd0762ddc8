import { CopyButton } from '../../ui/copy.tsx'
import { Checkbox, Input } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { words } from '../../words/words.ts'
import type { PartProps, Settings } from './model.ts'

interface Typed {
  on: boolean
  title: string
  description: string
}

/** The setting as the form has it, where an empty text stands for none. */
export function archiveIn({ archive }: Settings): Typed {
  const { on, title, description } = archive
  return { on, title: title ?? '', description: description ?? '' }
}

/** Whether everybody may see the emails that campaigns put there, and what the page says. */
export function Archive({ settings, changes, setChanges, fault }: PartProps) {
  const { archive } = words.settings
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
