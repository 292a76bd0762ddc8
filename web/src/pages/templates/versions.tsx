/** Former versions of a template: what each would change, and bringing it back. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId, useMay } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import type { Content } from '../../parts/content/content.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Drawer } from '../../ui/dialog.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { contentWords } from '../../words/content.ts'
import { moment, number } from '../../words/words.ts'
import { lineDifference } from './line-difference.ts'
import type { Template } from './templates.tsx'

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
                {by !== undefined && (
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
  const lines = lineDifference(asLines((template.source ?? {}) as Content), asLines(source))
  const isSame = lines.every(({ side }) => side === 'both')
  return (
    <div className="grid gap-3 px-4 pt-2 pb-4">
      {isSame ? (
        <p className="text-muted">{w.same}</p>
      ) : (
        <>
          <h3 className="text-sm font-medium">{w.difference}</h3>
          <pre
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard.
            tabIndex={0}
            className="max-h-96 overflow-auto rounded-lg border border-line bg-surface py-2 font-mono text-sm whitespace-pre-wrap"
          >
            {lines.map(({ text, side }, place) => (
              <span
                // biome-ignore lint/suspicious/noArrayIndexKey: lines keep their places.
                key={place}
                className={cx(
                  'block px-3 break-words',
                  side === 'old' && 'bg-bad-ground',
                  side === 'new' && 'bg-good-ground',
                  side === 'both' && 'text-muted',
                )}
              >
                {{ old: '− ', new: '+ ', both: '  ' }[side]}
                <bdi>{text}</bdi>
              </span>
            ))}
          </pre>
          {may && (
            <Button className="justify-self-end" onClick={() => onRestore(source)}>
              {w.restore}
            </Button>
          )}
        </>
      )}
    </div>
  )
}

/** A field a line, and a line of JSON for each block, so that differences are short. */
function asLines({ subject, preheader, html, mjml, blocks, text }: Content): string {
  const parts = [subject, preheader, html ?? mjml, ...(blocks ?? []).map(asLine), text]
  return parts.filter((part) => part !== undefined).join('\n')
}

const asLine = (block: unknown) => JSON.stringify(block, null, 1).replaceAll('\n', ' ')
