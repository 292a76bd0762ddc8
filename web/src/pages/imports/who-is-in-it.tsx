/** Whether a file holds contacts, or people who must not be written to. */
import { ExportButton } from '../../parts/export-button.tsx'
import { importWords } from '../../words/imports.ts'
import type { Kind } from './upload.ts'

const kinds = ['contacts', 'suppressions'] as const

export function WhoIsInIt({ kind, onChange }: { kind: Kind; onChange: (kind: Kind) => void }) {
  const { who } = importWords
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-medium">{who.title}</legend>
      {kinds.map((word) => (
        <label key={word} className="flex items-start gap-2">
          <input
            type="radio"
            name="kind"
            className="mt-1 accent-accent"
            checked={kind === word}
            onChange={() => onChange(word)}
          />
          <span>
            {who.kinds[word]}
            <span className="block text-sm text-muted">{who.about[word]}</span>
          </span>
        </label>
      ))}
      {kind === 'suppressions' && (
        <div>
          <ExportButton of={{ kind }} label={who.export} />
        </div>
      )}
    </fieldset>
  )
}
