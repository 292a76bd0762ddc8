/**
 * The content of a mail or a text beside its preview, which follows what is typed. Campaigns and
 * templates are written with it.
 */
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useMay } from '../../api/businesses.ts'
import { Input } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { faultOf } from '../../ui/states.tsx'
import { tell } from '../../ui/tell.ts'
import { contentWords } from '../../words/content-words.ts'
import { type Saved, useDraft } from '../drafts/use-draft.ts'
import { useSave } from '../drafts/use-save.ts'
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
import {
  changeOf,
  contentOf,
  type Fields,
  fieldOf,
  fieldsOf,
  formatIn,
  languageName,
  normal,
  ownOf,
  translationsOf,
} from './languages.ts'
import { PreviewCard } from './preview-card.tsx'
import { SaveBar } from './save-bar.tsx'
import { type Filling, ordinary, usePreview } from './use-preview.ts'

// Both load when the editor is there, so that the page appears sooner; menus are large.
const LanguageBar = lazy(async () => ({
  default: (await import('./language-bar.tsx')).LanguageBar,
}))
const DraftNotices = lazy(async () => ({
  default: (await import('../drafts/draft-notices.tsx')).DraftNotices,
}))

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
  saved: Saved | undefined
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
  useEffect(() => {
    if (!incoming) return
    draft.change(replacing(stored, incoming.content))
    onLanguage(undefined)
    onTaken?.()
  }, [incoming, draft, stored, onTaken, onLanguage])
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
    draft.change(tag === undefined ? part : { [fieldOf(tag)]: normal({ ...value, ...part }) })
  const shown = translation ?? previewed(own, ownOf(draft.changed), format)
  const preview = usePreview(channel, shown, { filling, language: tag })
  // An undo may come when more was changed since.
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  })
  const putTranslation = (other: string, to: Translation | null | undefined) =>
    latest.current.change({ [fieldOf(other)]: to })
  const labels = Object.fromEntries(
    Object.keys({ ...translationsOf(stored), ...translations }).map((other) => [
      fieldOf(other),
      languageName(other),
    ]),
  )
  return (
    <form
      className="grid items-start gap-5 lg:grid-cols-2"
      onSubmit={(event) => {
        event.preventDefault()
        saveNow(goOn?.onDone)
      }}
    >
      <Card title={props.title}>
        <fieldset disabled={!may} className="grid min-w-0 gap-4">
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
              onChange={({ target }) => draft.change({ name: target.value })}
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
        </fieldset>
      </Card>
      <PreviewCard
        channel={channel}
        shown={preview.made}
        error={preview.error}
        isEmpty={preview.isEmpty}
      >
        <FillingFields filling={filling} onChange={setFilling} needs={preview.made?.needs ?? []} />
      </PreviewCard>
    </form>
  )
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
