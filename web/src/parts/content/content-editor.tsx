/**
 * The content of a mail or a text beside its preview, which follows what is typed. Campaigns and
 * templates are written with it.
 */

import {
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useMay } from '../../api/businesses.ts'
import { IconButton } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Input } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { Card } from '../../ui/page.tsx'
import { faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { contentWords } from '../../words/content.ts'
import { type Saved, useDraft } from '../drafts/use-draft.ts'
import { useSave } from '../drafts/use-save.ts'
import { languageName } from '../recipient-languages.ts'
import { BodyFields } from './body-fields.tsx'
import {
  type BodyFormat,
  bodyFormats,
  type Channel,
  type Content,
  inOneFormat,
  type Translation,
} from './content.ts'
import { FillingFields } from './filling-fields.tsx'
import { type History, useHistory } from './history.ts'
import {
  changeOf,
  contentOf,
  type Fields,
  fieldOf,
  fieldsOf,
  formatIn,
  normal,
  ownOf,
  tagOf,
  translationsOf,
} from './languages.ts'
import { PreviewCard } from './preview-card.tsx'
import { SaveBar } from './save-bar.tsx'
import { type Filling, ordinary, usePreview } from './use-preview.ts'

// Both load when the editor is there, so that the page appears sooner; menus are large.
const LanguageBar = lazyPart(() => import('./language-bar.tsx'), 'LanguageBar')
const DraftNotices = lazyPart(() => import('../drafts/draft-notices.tsx'), 'DraftNotices')

export interface EditedContent extends Content {
  /** Of a template. */
  name?: string
}

/** Content from elsewhere, such as a template or a former version, that replaces what is there. */
export interface Incoming {
  content: Content
}

interface ContentEditorProps {
  title: string
  /** The name under which unsaved changes are kept: the business, what it is, and its id. */
  draftName: string
  channel: Channel
  format: BodyFormat
  version: number
  stored: EditedContent
  saved: Saved | null | undefined
  /** The change has null for a translation that is removed. */
  save: (changed: Record<string, unknown>, if_version: number) => Promise<unknown>
  savedText: string
  /** The tags of translations that are older than the content in the first language. */
  outdated: readonly string[]
  /** The tag of the translation that is edited; undefined for the first language. */
  language: string | undefined
  onLanguage: (tag: string | undefined) => void
  /** Where the fields are in the call that saves, such as `content.`. */
  within?: string
  /** The button that saves and goes on. */
  goOn?: { label: string; onDone: () => void }
  incoming?: Incoming | undefined
  onTaken?: () => void
  /** Further buttons, which get what is written now. */
  actions?: (now: { value: EditedContent; isChanged: boolean; filling: Filling }) => ReactNode
  /** Above the fields. */
  children?: ReactNode
}

export function ContentEditor(props: ContentEditorProps) {
  const { channel, within = '', goOn, incoming, onTaken, language, onLanguage } = props
  const w = contentWords
  const may = useMay('editor')
  const stored = useMemo(() => fieldsOf(props.stored), [props.stored])
  const draft = useDraft<Fields>({
    // Content that is written in two formats at once is kept twice, until one of them is saved.
    name: `${props.format === 'blocks' ? 'blocks' : 'content'} ${props.draftName}`,
    version: props.version,
    stored,
    saved: props.saved,
  })
  const latest = useRef(draft)
  useLayoutEffect(() => {
    latest.current = draft
  })
  const history = useHistory(draft.turn, (part) => {
    latest.current.change(part)
    // What is undone is to be seen.
    const changed = Object.keys(part).map(tagOf)[0]
    if (changed === undefined || translationsOf({ ...latest.current.value, ...part })[changed]) {
      onLanguage(changed)
    }
  })
  const edit = (part: Partial<Fields>) => {
    history.record(latest.current.value, part)
    latest.current.change(part)
  }
  useEffect(() => {
    if (!incoming) return
    edit(replacing(stored, incoming.content))
    onLanguage(undefined)
    onTaken?.()
  })
  const { save, isSaving, isRetrying, error } = useSave(
    draft,
    async (changed) => {
      if (!draft.isChanged) return
      await props.save(changeOf(inOneFormat(changed, props.format), stored), draft.version)
    },
    ({ isChanged }: { isChanged: boolean }) => isChanged && tell(props.savedText),
  )
  const saveNow = (then?: () => void) => save({ isChanged: draft.isChanged }, then)
  const [filling, setFilling] = useState<Filling>(ordinary)
  const { name, ...own } = ownOf(draft.value)
  const translations = translationsOf(draft.value)
  const translation = language === undefined ? undefined : translations[language]
  // Somebody else may have removed the translation.
  const tag = translation && language
  const before = tag === undefined ? undefined : stored[fieldOf(tag)]
  const format = (translation && formatIn(translation, before)) ?? props.format
  const value = translation ?? own
  const field = tag === undefined ? '' : `${fieldOf(tag)}.`
  const fault = (part: string) => faultOf(error)(`${within}${field}${part}`)
  const change = (part: Translation) =>
    edit(tag === undefined ? part : { [fieldOf(tag)]: normal({ ...value, ...part }) })
  const shown = translation ?? previewed(own, ownOf(draft.changed), format)
  const preview = usePreview(channel, shown, { filling, language: tag })
  const putTranslation = (other: string, to: Translation | null | undefined) =>
    edit({ [fieldOf(other)]: to })
  const isCanvas = channel === 'email' && format === 'blocks'
  const [isPreviewed, setPreviewed] = useState(!may)
  const form = useRef<HTMLFormElement>(null)
  useUndoKeys(form, may ? history : undefined, isCanvas)
  const previewCard = (
    <PreviewCard
      channel={channel}
      shown={preview.made}
      error={preview.error}
      isEmpty={preview.isEmpty}
      isAlone={isCanvas}
    >
      <FillingFields
        filling={filling}
        onChange={setFilling}
        needs={preview.made?.needs ?? []}
        blocks={shown.blocks}
      />
    </PreviewCard>
  )
  const labels = Object.fromEntries(
    Object.keys({ ...translationsOf(stored), ...translations }).map((other) => [
      fieldOf(other),
      languageName(other),
    ]),
  )
  return (
    <form
      className={cx('grid items-start gap-5', !isCanvas && 'lg:grid-cols-2')}
      ref={form}
      data-unsaved={may && draft.isChanged && draft.conflicts.length === 0 ? '' : undefined}
      onSubmit={(event) => {
        event.preventDefault()
        if (!isSaving) saveNow(goOn?.onDone)
      }}
    >
      <Card
        title={props.title}
        actions={
          isCanvas && (
            <CanvasBar {...{ history, may }} isPreviewed={isPreviewed} onPreview={setPreviewed} />
          )
        }
      >
        <div className="grid min-w-0 gap-4">
          <Suspense>
            <DraftNotices
              draft={draft}
              isRetrying={isRetrying}
              labels={{ ...w.fields, ...w.sources, blocks: w.formats.blocks, ...labels }}
            />
          </Suspense>
          <Suspense>
            <LanguageBar
              channel={channel}
              own={normal(inOneFormat(own, props.format))}
              translations={translations}
              outdated={props.outdated.filter(
                (other) => draft.changed[fieldOf(other)] === undefined,
              )}
              chosen={tag}
              may={may}
              onChoose={onLanguage}
              onCopy={(other) => {
                const former = translations[other]
                putTranslation(other, normal(inOneFormat(own, props.format)))
                if (former) tell(w.languages.copied, { undo: () => putTranslation(other, former) })
                onLanguage(other)
              }}
              onRemove={(other) => {
                const former = translations[other]
                putTranslation(other, stored[fieldOf(other)] ? null : undefined)
                onLanguage(undefined)
                tell(w.languages.removed(languageName(other)), {
                  undo: () => putTranslation(other, former),
                })
              }}
            />
          </Suspense>
          {props.children}
          {stored.name !== undefined && tag === undefined && (
            <Input
              label={w.fields.name}
              required
              maxLength={200}
              value={name ?? ''}
              disabled={!may}
              onChange={({ target }) => edit({ name: target.value })}
              fault={fault('name')}
            />
          )}
          <BodyFields
            key={tag ?? ''}
            channel={channel}
            format={format}
            value={value}
            onChange={change}
            fault={fault}
            error={preview.error}
            may={may}
            preview={isCanvas && isPreviewed ? previewCard : undefined}
          />
          {may && (
            <SaveBar
              error={error}
              isChanged={draft.isChanged}
              isBlocked={draft.conflicts.length > 0}
              isSaving={isSaving}
              onSave={() => saveNow()}
              {...(goOn && { goOn: goOn.label })}
            >
              {props.actions?.({
                value: contentOf(draft.value),
                isChanged: draft.isChanged,
                filling,
              })}
            </SaveBar>
          )}
        </div>
      </Card>
      {!isCanvas && previewCard}
    </form>
  )
}

interface CanvasBarProps {
  history: History
  may: boolean
  isPreviewed: boolean
  onPreview: (isPreviewed: boolean) => void
}

/** What was undone, and whether the mail is written or looked at. */
function CanvasBar({ history, may, isPreviewed, onPreview }: CanvasBarProps) {
  const { history: w, modes } = contentWords
  return (
    <>
      <span role="status" className="text-sm text-muted">
        {history.said}
      </span>
      {may && (
        <>
          <IconButton
            icon="undo"
            label={w.undo}
            disabled={!history.undo}
            onClick={() => history.undo?.()}
            className="disabled:opacity-40"
          />
          <IconButton
            icon="redo"
            label={w.redo}
            disabled={!history.redo}
            onClick={() => history.redo?.()}
            className="disabled:opacity-40"
          />
        </>
      )}
      <fieldset className="flex rounded-md border border-line p-px">
        <legend className="sr-only">{modes.label}</legend>
        {([false, true] as const).map((preview) => (
          <button
            key={String(preview)}
            type="button"
            aria-pressed={preview === isPreviewed}
            onClick={() => onPreview(preview)}
            className={cx(
              'h-6.5 rounded px-2 text-sm max-sm:h-8',
              preview === isPreviewed ? 'bg-hover text-ink' : 'text-muted hover:text-ink',
            )}
          >
            {preview ? modes.preview : modes.write}
          </button>
        ))}
      </fieldset>
    </>
  )
}

/** Ctrl+Z and Ctrl+Shift+Z, also Ctrl+Y, in everything of the mail, in place of a field's own. */
function useUndoKeys(
  within: RefObject<HTMLElement | null>,
  history: History | undefined,
  isCanvas: boolean,
): void {
  const latest = useRef(history)
  useLayoutEffect(() => {
    latest.current = history
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const { current } = latest
      const key = event.key.toLowerCase()
      const isCommand = (event.ctrlKey || event.metaKey) && !event.altKey
      if (!current || !isCommand || (key !== 'z' && key !== 'y')) return
      const { target } = event
      // An area of source has a history of its own.
      if (!isCanvas && !(target instanceof HTMLElement && target.isContentEditable)) return
      // What had the focus may be gone with its block.
      if (target !== document.body && !within.current?.contains(target as Node)) return
      event.preventDefault()
      event.stopPropagation()
      if (key === 'y' || event.shiftKey) current.redo?.()
      else current.undo?.()
    }
    window.addEventListener('keydown', listen, true)
    return () => window.removeEventListener('keydown', listen, true)
  }, [within, isCanvas])
}

/** A new body drops the text that was written for the former one, unless that is written anew. */
function previewed(value: Content, changed: Content, format: BodyFormat): Content {
  const { text, ...rest } = inOneFormat(value, format)
  const isDropped = changed[format] !== undefined && changed.text === undefined
  return isDropped || text === undefined ? rest : { ...rest, text }
}

/** Fields that the new content does not have become empty. */
function replacing(stored: Fields, content: Content): Fields {
  const removed = Object.keys(translationsOf(stored)).map((tag) => [fieldOf(tag), null] as const)
  const next: Fields = { ...Object.fromEntries(removed), ...fieldsOf(content) }
  for (const field of ['preheader', 'text'] as const) {
    if (next[field] === undefined && stored[field] !== undefined) next[field] = ''
  }
  const other = bodyFormats.filter((format) => next[format] === undefined)
  return Object.fromEntries(
    Object.entries(next).filter(([field]) => !other.some((format) => format === field)),
  ) as Fields
}
