/** What a person must know of a draft: that it is not saved yet, or that somebody else saved too. */
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { draftWords } from '../../words/drafts.ts'
import { ago } from '../../words/words.ts'
import type { Draft, Saved } from './use-draft.ts'

interface DraftNoticesProps {
  draft: Omit<Draft<object>, 'change' | 'wasStored' | 'wasSaved'>
  isRetrying: boolean
  /** The names of the fields, as the editor shows them. */
  labels: Readonly<Record<string, string>>
  /** A value as text, where JSON is not how a person reads it. */
  textOf?: (value: unknown) => string
}

export function DraftNotices({ draft, isRetrying, labels, textOf = asText }: DraftNoticesProps) {
  return (
    <>
      {isRetrying && (
        <p role="status" className="flex items-start gap-2.5 rounded-lg bg-warn-ground p-3">
          <Icon name="warn" className="mt-0.5 shrink-0 text-warn" />
          {draftWords.retrying}
        </p>
      )}
      {draft.conflicts.length > 0 && <Both {...{ draft, labels, textOf }} />}
      {draft.foundAt !== undefined && draft.conflicts.length === 0 && !isRetrying && (
        <div className="flex flex-wrap items-center gap-2.5 rounded-lg border border-line bg-sunken p-3">
          <p role="status" className="min-w-0 flex-1 basis-56">
            {draftWords.found(ago(new Date(draft.foundAt).toISOString()))}
          </p>
          <Button onClick={draft.discard}>{draftWords.discard}</Button>
        </div>
      )}
    </>
  )
}

/** Both texts of each field that two people changed, and the choice between them. */
function Both({
  draft,
  labels,
  textOf,
}: Omit<DraftNoticesProps, 'isRetrying'> & { textOf: (value: unknown) => string }) {
  return (
    <section
      aria-label={draftWords.both}
      className="grid gap-3 rounded-lg border border-line bg-warn-ground p-3"
    >
      <p role="alert" className="flex items-start gap-2.5">
        <Icon name="warn" className="mt-0.5 shrink-0 text-warn" />
        <span className="min-w-0">
          <bdi>{whoOf(draft.saved)}</bdi>{' '}
          {draftWords.stale(draft.saved ? ago(draft.saved.at) : undefined)}
        </span>
      </p>
      {draft.conflicts.map(({ field, yours, theirs }) => (
        <div key={field} className="grid gap-1">
          <p className="font-medium">{labels[field] ?? field}</p>
          <div className="grid gap-2 sm:grid-cols-2">
            <Version title={draftWords.theirs} text={textOf(theirs)} />
            <Version title={draftWords.yours} text={textOf(yours)} />
          </div>
        </div>
      ))}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onClick={draft.takeTheirs}>{draftWords.takeTheirs}</Button>
        <Button onClick={draft.keepMine}>{draftWords.keepMine}</Button>
      </div>
    </section>
  )
}

const asText = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value ?? null, null, 2)

function Version({ title, text }: { title: string; text: string }) {
  return (
    <figure className="grid min-w-0 content-start gap-1">
      <figcaption className="text-sm text-muted">{title}</figcaption>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long text is scrolled by keyboard.
        tabIndex={0}
        className="max-h-40 overflow-auto rounded-md border border-line bg-surface p-2 font-mono text-sm break-words whitespace-pre-wrap"
      >
        <bdi>{text}</bdi>
      </pre>
    </figure>
  )
}

function whoOf(saved: Saved | null | undefined): string {
  const { who } = draftWords
  if (!saved) return who.somebody
  if (saved.through_connection) {
    return saved.by === null || saved.by_you ? who.program : who.programOf(saved.by)
  }
  return saved.by_you ? who.you : (saved.by ?? who.somebody)
}
