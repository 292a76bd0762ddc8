import { languageNamesWith } from '../../parts/recipient-languages.ts'
import { Select } from '../../ui/field.tsx'
import { contactWords } from '../../words/contacts.ts'

interface LanguageFieldProps {
  value: string
  onChange: (value: string) => void
  fault: string | undefined
}

/** The language of a contact: one in which the service speaks to recipients, or the one that is set. */
export function LanguageField({ value, onChange, fault }: LanguageFieldProps) {
  return (
    <Select
      label={contactWords.language}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      fault={fault}
      options={[['', contactWords.form.noLanguage], ...languageNamesWith(value)]}
    />
  )
}
