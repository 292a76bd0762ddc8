/** The business's custom fields of a contact, as names and values. */
import { Button, IconButton } from '../../ui/button.tsx'
import { Input } from '../../ui/field.tsx'
import { contactWords } from '../../words/contacts.ts'

type Value = string | number | boolean
type Values = Record<string, Value>

export interface Attribute {
  /** Only for React. */
  id: string
  key: string
  text: string
}

export const attributeRows = (values: Values): Attribute[] =>
  Object.entries(values).map(([key, value]) => ({ id: key, key, text: String(value) }))

/** The values of the rows that have a key, each of the type of its former value. */
export function attributesOf(before: Values, rows: readonly Attribute[]): Values {
  const named = rows.filter(({ key }) => key.trim() !== '')
  return Object.fromEntries(
    named.map(({ key, text }) => [key.trim(), typed(text, before[key.trim()])]),
  )
}

/** A field keeps its type as long as the typed text allows it. */
function typed(text: string, before: Value | undefined): Value {
  if (typeof before === 'number' && text.trim() !== '' && Number.isFinite(Number(text))) {
    return Number(text)
  }
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

export function AttributeRows({
  rows,
  onChange,
}: {
  rows: readonly Attribute[]
  onChange: (rows: Attribute[]) => void
}) {
  const { form } = contactWords
  const set = (id: string, part: Partial<Attribute>) =>
    onChange(rows.map((row) => (row.id === id ? { ...row, ...part } : row)))
  return (
    <fieldset className="grid gap-2">
      <legend className="pb-1 text-sm font-medium">{form.attributes}</legend>
      {rows.map((row) => (
        <div key={row.id} className="grid grid-cols-[2fr_3fr_auto] items-center gap-2">
          <Input
            label={form.key}
            hidden
            placeholder={form.key}
            value={row.key}
            onChange={({ target }) => set(row.id, { key: target.value })}
          />
          <Input
            label={form.value}
            hidden
            placeholder={form.value}
            value={row.text}
            onChange={({ target }) => set(row.id, { text: target.value })}
          />
          <IconButton
            icon="close"
            label={form.removeField}
            onClick={() => onChange(rows.filter(({ id }) => id !== row.id))}
          />
        </div>
      ))}
      <div>
        <Button
          look="quiet"
          icon="plus"
          onClick={() => onChange([...rows, { id: `new-${performance.now()}`, key: '', text: '' }])}
        >
          {form.addField}
        </Button>
      </div>
    </fieldset>
  )
}
