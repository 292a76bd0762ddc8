/** Where the parts of entries stand in JSON that is no feed. */
import { Input } from '../../ui/field.tsx'
import { feedWords } from '../../words/feeds.ts'

const parts = [
  'items',
  'title',
  'url',
  'id',
  'text',
  'image',
  'price',
  'currency',
  'published',
] as const
type Part = (typeof parts)[number]

export type MappingTexts = Record<Part, string>

export const mappingTexts = (mapping: Partial<MappingTexts> | null | undefined): MappingTexts => ({
  items: mapping?.items ?? '',
  title: mapping?.title ?? '',
  url: mapping?.url ?? '',
  id: mapping?.id ?? '',
  text: mapping?.text ?? '',
  image: mapping?.image ?? '',
  price: mapping?.price ?? '',
  currency: mapping?.currency ?? '',
  published: mapping?.published ?? '',
})

/** What is empty is left out, but for the two that each entry needs. */
export function mappingOf(texts: MappingTexts): { title: string; url: string } {
  const filled = parts.filter((part) => texts[part].trim() !== '')
  const { title, url } = texts
  return {
    title: title.trim(),
    url: url.trim(),
    ...Object.fromEntries(filled.map((part) => [part, texts[part].trim()])),
  }
}

interface MappingFieldsProps {
  texts: MappingTexts
  onChange: (texts: MappingTexts) => void
  fault: (field: string) => string | undefined
}

export function MappingFields({ texts, onChange, fault }: MappingFieldsProps) {
  const w = feedWords.mapping
  return (
    <fieldset className="grid gap-3 sm:col-span-2">
      <legend className="mb-2 font-medium">{w.title}</legend>
      <p className="text-sm text-muted">{w.about}</p>
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-3">
        {parts.map((part) => (
          <Input
            key={part}
            label={w.parts[part]}
            hint={w.hints[part]}
            value={texts[part]}
            maxLength={500}
            spellCheck={false}
            onChange={({ target }) => onChange({ ...texts, [part]: target.value })}
            fault={fault(`mapping.${part}`)}
          />
        ))}
      </div>
    </fieldset>
  )
}
