/** The formats in which a mail can be written. */
import { cx } from '../../ui/classes.ts'
import { contentWords } from '../../words/content.ts'
import { type BodyFormat, bodyFormats } from './content.ts'

export function FormatSwitch({
  format,
  onChange,
}: {
  format: BodyFormat
  onChange: (format: BodyFormat) => void
}) {
  const w = contentWords
  return (
    <fieldset className="flex items-center gap-2">
      <legend className="sr-only">{w.writtenIn}</legend>
      <span className="flex rounded-md border border-line p-px">
        {bodyFormats.map((bodyFormat) => (
          <button
            key={bodyFormat}
            type="button"
            aria-pressed={bodyFormat === format}
            onClick={() => onChange(bodyFormat)}
            className={cx(
              'h-7 rounded px-2 text-sm max-sm:h-8',
              bodyFormat === format ? 'bg-hover text-ink' : 'text-muted hover:text-ink',
            )}
          >
            {w.formats[bodyFormat]}
          </button>
        ))}
      </span>
    </fieldset>
  )
}
