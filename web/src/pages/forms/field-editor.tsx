/** One field of a form: its texts, its type, its rules. */
import { Button } from '../../ui/button.tsx'
import { Checkbox, Input, Select, TextArea } from '../../ui/field.tsx'
import { contactWords } from '../../words/contacts.ts'
import { formWords } from '../../words/forms.ts'
import {
  type DraftField,
  type FormField,
  fieldTypes,
  hasOptions,
  keyOf,
  nameKeys,
} from './model.ts'

interface FieldEditorProps {
  field: DraftField
  others: readonly FormField[]
  onChange: (field: DraftField) => void
  onRemove: () => void
  fault: (part: string) => string | undefined
}

export function FieldEditor({ field, others, onChange, onRemove, fault }: FieldEditorProps) {
  const forms = formWords
  const { type, options = [] } = field
  const nameKey = type === 'text' ? nameKeys.find((key) => key === field.key) : undefined
  const setLabel = (label: string) =>
    onChange({ ...field, label, ...(field.isNew && { key: keyOf(label, others) }) })
  const setType = (next: FormField['type']) => {
    const { options: _options, channel: _channel, ...rest } = field
    onChange({
      ...rest,
      type: next,
      ...(hasOptions(next) && { options: options.length > 0 ? options : ['A', 'B'] }),
      ...(next === 'consent' && { channel: 'email' as const }),
    })
  }
  return (
    <div className="grid gap-3 border-t border-line bg-ground px-4 py-3">
      <Input
        label={type === 'consent' ? forms.consentLabel : forms.label}
        {...(type === 'consent' && { hint: forms.consentHint })}
        maxLength={1000}
        value={field.label}
        onChange={({ target }) => setLabel(target.value)}
        fault={fault('label')}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Select
          label={forms.type}
          value={type}
          onChange={({ target }) => setType(target.value as FormField['type'])}
          options={fieldTypes.map((fieldType) => [fieldType, forms.types[fieldType]] as const)}
          fault={fault('type')}
        />
        <Input
          label={forms.key}
          {...(nameKey && { hint: forms.fillsIn[nameKey] })}
          maxLength={64}
          className="font-mono"
          value={field.key}
          onChange={({ target }) => onChange({ ...field, key: target.value, isNew: false })}
          fault={fault('key')}
        />
      </div>
      {hasOptions(type) && (
        <TextArea
          label={forms.options}
          hint={forms.optionsHint}
          value={options.join('\n')}
          onChange={({ target }) => onChange({ ...field, options: target.value.split('\n') })}
          fault={fault('options')}
        />
      )}
      {type === 'consent' && (
        <Select
          label={forms.channel}
          value={field.channel ?? 'email'}
          onChange={({ target }) =>
            onChange({ ...field, channel: target.value as 'email' | 'sms' })
          }
          options={[
            ['email', contactWords.channel.email],
            ['sms', contactWords.channel.sms],
          ]}
          fault={fault('channel')}
        />
      )}
      <div className="flex items-center justify-between gap-3">
        <Checkbox
          label={forms.mustAnswer}
          checked={field.required ?? false}
          onChange={({ target }) => onChange({ ...field, required: target.checked })}
        />
        <Button look="danger" onClick={onRemove}>
          {forms.removeField}
        </Button>
      </div>
    </div>
  )
}
