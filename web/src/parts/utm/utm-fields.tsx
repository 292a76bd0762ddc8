/** The UTM parameters of links, with a link that has them. */
import { Input } from '../../ui/field.tsx'
import { settingsWords } from '../../words/settings.ts'

const keys = ['source', 'medium', 'campaign', 'term', 'content'] as const
export type Utm = { [key in (typeof keys)[number]]?: string }

interface UtmFieldsProps {
  values: Utm
  onChange: (values: Utm) => void
  fault: (field: string) => string | undefined
}

export function UtmFields({ values, onChange, fault }: UtmFieldsProps) {
  const hints: Utm = {
    source: settingsWords.utm.sourceHint,
    campaign: settingsWords.utm.campaignHint,
  }
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {keys.map((key) => (
        <Input
          key={key}
          label={settingsWords.utm.fields[key]}
          hint={hints[key]}
          maxLength={100}
          value={values[key] ?? ''}
          onChange={({ target }) => {
            const { [key]: _, ...others } = values
            onChange(target.value === '' ? others : { ...others, [key]: target.value })
          }}
          fault={fault(`utm.${key}`)}
        />
      ))}
    </div>
  )
}

/** An example of a link with the values; empty if it gets none. */
export function UtmExample({ values, name }: { values: Utm; name: string }) {
  if (!values.source) return null
  const slug = name.toLowerCase().split(' ').filter(Boolean).join('-')
  const query = keys.flatMap((key) => {
    const value = values[key] ?? (key === 'campaign' ? slug : '')
    return value === '' ? [] : [`utm_${key}=${encodeURIComponent(value)}`]
  })
  return (
    <p className="text-sm text-muted">
      {settingsWords.utm.preview}{' '}
      <code className="break-all text-ink">{`https://example.com/?${query.join('&')}`}</code>
    </p>
  )
}
