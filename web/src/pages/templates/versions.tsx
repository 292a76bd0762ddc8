/** Former versions of a template: what each would change, and bringing it back. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import type { Content } from '../../parts/content/content.ts'
import { chipName } from '../../parts/liquid/chips.ts'
import { wordsOf } from '../../parts/mail-editor/written-text.ts'
import { languageName } from '../../parts/recipient-languages.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { blockWords } from '../../words/blocks.ts'
import { contentWords } from '../../words/content.ts'
import { moment, number } from '../../words/words.ts'
import type { Template } from './templates.tsx'
import { type Change, versionDifference } from './version-difference.ts'

interface VersionsProps {
  template: Template
  onRestore: (content: Content) => void
  onClose: () => void
}

export function Versions({ template, onRestore, onClose }: VersionsProps) {
  const business_id = useBusinessId()
  const { template_id, version: current } = template
  const w = contentWords.versions
  const [open, setOpen] = useState<number>()
  const list = useQuery({
    queryKey: ['template.versions', business_id, template_id, current],
    queryFn: ({ signal }) => api.template.versions({ business_id, template_id }, { signal }),
  })
  return (
    <Drawer open onClose={onClose} title={w.title}>
      {list.error && (
        <div className="p-4">
          <Failure error={list.error} onRetry={() => void list.refetch()} />
        </div>
      )}
      {list.isPending && <Skeleton />}
      <ul className="divide-y divide-line">
        {list.data?.versions.map(({ version, created_at, through_connection, by }) => {
          const isOpen = version === open
          return (
            <li key={version}>
              <button
                type="button"
                aria-expanded={isOpen}
                onClick={() => setOpen(isOpen ? undefined : version)}
                className="flex min-h-11 w-full flex-wrap items-center gap-x-3 px-4 py-2 text-left hover:bg-hover"
              >
                <span className="font-medium tabular-nums">{w.version(number(version))}</span>
                {version === current && <Badge tone="good">{w.current}</Badge>}
                <span className="ml-auto text-sm text-muted">{moment(created_at)}</span>
                {through_connection && (
                  <span className="w-full text-sm text-muted">{w.byProgram}</span>
                )}
                {by !== null && (
                  <span className="w-full truncate text-sm text-muted">{w.by(by)}</span>
                )}
              </button>
              {isOpen && <OneVersion {...{ template, version, onRestore }} />}
            </li>
          )
        })}
      </ul>
    </Drawer>
  )
}

function OneVersion({
  template,
  version,
  onRestore,
}: Pick<VersionsProps, 'template' | 'onRestore'> & { version: number }) {
  const business_id = useBusinessId()
  const may = useMay('editor')
  const { template_id } = template
  const w = contentWords.versions
  const { data, error } = useQuery({
    queryKey: ['template.versions', business_id, template_id, 'one', version],
    queryFn: ({ signal }) =>
      api.template.versions({ business_id, template_id, version }, { signal }),
    // A version never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const source = data?.versions[0]?.source as Content | undefined
  if (error) return <Failure error={error} />
  if (!source) return <Skeleton lines={4} />
  const read = (text: string) => wordsOf(text, chipName)
  const saved = (template.source ?? {}) as Content
  const changes = versionDifference(saved, source, read)
  // HTML that differs in a link or its looks says the same, and can still be brought back.
  const isSaved = JSON.stringify(saved) === JSON.stringify(source)
  return (
    <div className="grid gap-3 px-4 pt-2 pb-4">
      {changes.length === 0 ? (
        <p className="text-muted">{w.same}</p>
      ) : (
        <>
          <h3 className="text-sm font-medium">{w.difference}</h3>
          <ul className="grid gap-2">
            {changes.map((change, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: changes keep their places.
              <li key={place} className="grid gap-1 rounded-lg border border-line bg-surface p-3">
                <OneChange {...change} />
              </li>
            ))}
          </ul>
        </>
      )}
      {may && !isSaved && (
        <Button className="justify-self-end" onClick={() => onRestore(source)}>
          {w.restore}
        </Button>
      )}
    </div>
  )
}

const tones = { added: 'good', removed: 'bad', changed: 'warn', moved: 'calm' } as const

function OneChange({ kind, part, language, words, settings }: Change) {
  const w = contentWords.versions
  const names = { ...blockWords.types, ...w.parts }
  const settingNames = w.settings as Record<string, string>
  const changed = new Set(settings.map((name) => settingNames[name] ?? w.settings.other))
  return (
    <>
      <p className="flex flex-wrap items-center gap-2 text-sm">
        <Badge tone={tones[kind]}>{w.kinds[kind]}</Badge>
        <span className="font-medium">{names[part]}</span>
        {language !== undefined && <span className="text-muted">{languageName(language)}</span>}
      </p>
      {words.length > 0 && (
        <p className="break-words whitespace-pre-line" dir="auto">
          {words.map(({ text, side }, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: pieces keep their places.
            <Marked key={place} text={text} side={side} />
          ))}
        </p>
      )}
      {changed.size > 0 && (
        <p className="text-sm text-muted">{w.settingsChanged([...changed].join(', '))}</p>
      )}
    </>
  )
}

function Marked({ text, side }: Change['words'][number]) {
  if (side === 'old') return <del className="bg-bad-ground">{text}</del>
  if (side === 'new') return <ins className="bg-good-ground underline">{text}</ins>
  return text
}
