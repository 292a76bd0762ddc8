/** A number and its unit, such as 3 days. */
import { Input, Select } from '../../ui/field.tsx'
import { automationWords } from '../../words/automations.ts'
import { durationOf, spanInWords, spanOf, type Unit, units } from './model.ts'

interface SpanProps {
  label: string
  value: string
  fault?: string | undefined
  onChange: (duration: string) => void
  /** All of them, where it does not say. */
  only?: readonly Unit[]
}

export function SpanField({ label, value, fault, onChange, only = units }: SpanProps) {
  const w = automationWords
  const { amount, unit } = spanOf(value)
  return (
    <div className="grid gap-1">
      <div className="flex items-end gap-2">
        <div className="w-24">
          <Input
            label={label}
            inputMode="numeric"
            value={amount}
            aria-invalid={fault !== undefined || undefined}
            onChange={({ target }) =>
              onChange(durationOf({ amount: target.value.replace(/\D/g, '').slice(0, 4), unit }))
            }
          />
        </div>
        <Select
          label={w.unit}
          hidden
          className="w-32!"
          value={unit}
          onChange={({ target }) => onChange(durationOf({ amount, unit: target.value as Unit }))}
          options={only.map((entry) => [entry, w.units[entry] ?? entry])}
        />
      </div>
      {/month|year/.test(value) && <p className="text-sm text-muted">{spanInWords(value)}</p>}
    </div>
  )
}
