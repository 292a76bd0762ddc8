/** The ways in which a mail can be written. */
import { cx } from '../../ui/classes.ts'
import { contentWords } from '../../words/content-words.ts'
import { type Way, ways } from './content.ts'

export function WaySwitch({ way, onChange }: { way: Way; onChange: (way: Way) => void }) {
  const w = contentWords
  return (
    <fieldset className="flex items-center gap-2">
      <legend className="sr-only">{w.writtenIn}</legend>
      <span className="flex rounded-md border border-line p-px">
        {ways.map((one) => (
          <button
            key={one}
            type="button"
            aria-pressed={one === way}
            onClick={() => onChange(one)}
            className={cx(
              'h-6.5 rounded px-2 text-sm max-sm:h-8',
              one === way ? 'bg-hover text-ink' : 'text-muted hover:text-ink',
            )}
          >
            {w.ways[one]}
          </button>
        ))}
      </span>
    </fieldset>
  )
}
