import { useCatalogue } from '../../parts/filter/use-filter-count.ts'
import { Button } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { contactWords } from '../../words/contacts.ts'
import { listOf } from './edited-contact.ts'

interface TagsFieldProps {
  value: string
  onChange: (value: string) => void
  fault: string | undefined
}

const suggestions = 6

/** The tags of a contact, with the most frequent of the business to press. */
export function TagsField({ value, onChange, fault }: TagsFieldProps) {
  const { tags, form } = contactWords
  const chosen = listOf(value)
  const others = (useCatalogue()?.tags ?? [])
    .map(({ tag }) => tag)
    .filter((tag) => !chosen.includes(tag))
  return (
    <div className="grid gap-1.5">
      <Input
        label={tags}
        hint={form.tagsHint}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        fault={fault}
      />
      {others.length > 0 && (
        <div className="flex flex-wrap gap-1">
          {others.slice(0, suggestions).map((tag) => (
            <Button
              key={tag}
              look="quiet"
              icon="plus"
              onClick={() => onChange([...chosen, tag].join(', '))}
            >
              {tag}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
