/** The languages of a mail or a text: which one is edited, adding one, and who gets which. */
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { contentWords } from '../../words/content.ts'
import { languageName, recipientTags } from '../recipient-languages.ts'
import type { Channel, Translation } from './content.ts'
import { isUntranslated, lackingIn } from './languages.ts'

interface LanguageBarProps {
  channel: Channel
  /** The content in the first language. */
  own: Translation
  translations: Record<string, Translation>
  /** The tags of those that are older than the content in the first language. */
  outdated: readonly string[]
  /** The tag of the one that is edited; undefined for the first language. */
  chosen: string | undefined
  may: boolean
  onChoose: (tag: string | undefined) => void
  /** Gives a translation the content of the first language. */
  onCopy: (tag: string) => void
  onRemove: (tag: string) => void
}

export function LanguageBar(props: LanguageBarProps) {
  const { translations, chosen, may, onChoose, onCopy } = props
  const w = contentWords.languages
  const tags = Object.keys(translations)
  const left = recipientTags.filter((tag) => !tags.includes(tag))
  const noteOf = (tag: string) => notesOf(props, tag).length > 0
  if (tags.length === 0 && !may) return null
  return (
    <section aria-label={w.title} className="grid gap-2">
      <div className="flex flex-wrap items-center gap-1.5">
        {tags.length > 0 && (
          <fieldset className="flex flex-wrap rounded-md border border-line p-px">
            <legend className="sr-only">{w.edited}</legend>
            {[undefined, ...tags].map((tag) => (
              <button
                key={tag ?? ''}
                type="button"
                aria-pressed={tag === chosen}
                onClick={() => onChoose(tag)}
                className={cx(
                  'flex h-7 items-center gap-1 rounded px-2 text-sm max-sm:h-8',
                  tag === chosen ? 'bg-hover text-ink' : 'text-muted hover:text-ink',
                )}
              >
                {tag === undefined ? w.first : languageName(tag)}
                {tag !== undefined && noteOf(tag) && (
                  <>
                    <Icon name="warn" className="text-warn" />
                    <span className="sr-only">{w.hasNotes}</span>
                  </>
                )}
              </button>
            ))}
          </fieldset>
        )}
        {may && left.length > 0 && (
          <Menu trigger={<Button icon="plus">{w.add}</Button>}>
            {left.map((tag) => (
              <MenuItem key={tag} onClick={() => onCopy(tag)}>
                {languageName(tag)}
              </MenuItem>
            ))}
          </Menu>
        )}
      </div>
      {tags.length > 0 && (
        <p className="text-sm text-muted">
          {chosen === undefined
            ? w.whoGetsFirst(tags.map(languageName))
            : w.whoGets(languageName(chosen), chosen.includes('-'))}
        </p>
      )}
      {chosen !== undefined && translations[chosen] && <Chosen {...props} chosen={chosen} />}
    </section>
  )
}

/** What is to be done about the translation that is edited. */
function Chosen(props: LanguageBarProps & { chosen: string }) {
  const { chosen, may, onCopy, onRemove } = props
  const w = contentWords.languages
  const notes = notesOf(props, chosen)
  return (
    <>
      {notes.length > 0 && (
        <ul className="grid gap-1 rounded-lg bg-warn-ground p-3">
          {notes.map((note) => (
            <li key={note} className="flex items-start gap-2.5">
              <Icon name="warn" className="mt-0.5 shrink-0 text-warn" />
              {note}
            </li>
          ))}
        </ul>
      )}
      {may && (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => onCopy(chosen)}>{w.copy}</Button>
          <Button onClick={() => onRemove(chosen)}>{w.remove(languageName(chosen))}</Button>
        </div>
      )}
    </>
  )
}

function notesOf({ channel, own, translations, outdated }: LanguageBarProps, tag: string) {
  const w = contentWords.languages
  const translation = translations[tag] ?? {}
  const lacking = lackingIn(translation, own)
  return [
    ...(lacking.length > 0 ? [w.lacking(lacking.map((part) => w.parts[channel][part]))] : []),
    ...(isUntranslated(translation, own) ? [w.untranslated] : []),
    ...(outdated.includes(tag) ? [w.outdated] : []),
  ]
}
