/** Each column of the file with samples of its content, and its target. */
import { Disclosure } from '../../ui/disclosure.tsx'
import { Input, Select } from '../../ui/field.tsx'
import { Card } from '../../ui/page.tsx'
import { importWords } from '../../words/imports.ts'
import {
  type FieldType,
  ownField,
  ownFieldTarget,
  plainTargets,
  suppressionTargets,
} from './choices.ts'
import type { Import } from './import.tsx'

interface MappingProps {
  kind: Import['kind']
  columns: NonNullable<Import['columns']>
  mapping: Record<string, string>
  values: Record<string, Record<string, string>>
  onChange: (mapping: Record<string, string>) => void
  onValues: (values: Record<string, Record<string, string>>) => void
  fault: (field: string) => string | undefined
}

export function Mapping(props: MappingProps) {
  const { kind, columns, mapping, values, onChange, onValues, fault } = props
  const { map } = importWords
  return (
    <Card title={map.title} flush>
      <ul className="divide-y divide-line">
        {columns.map(({ column, examples, values: texts }) => (
          <li key={column} className="grid gap-x-4 gap-y-1.5 px-4 py-2.5 sm:grid-cols-2">
            <div className="min-w-0">
              <p className="truncate font-medium">
                <bdi>{column}</bdi>
              </p>
              <p className="truncate text-sm text-muted">
                <bdi>{examples.length > 0 ? examples.join(' · ') : map.blank}</bdi>
              </p>
            </div>
            <Target
              kind={kind}
              column={column}
              target={mapping[column] ?? ''}
              onChange={(target) => onChange({ ...mapping, [column]: target })}
              fault={fault(`mapping.${column}`)}
            />
            {kind === 'contacts' && texts && texts.length > 0 && (mapping[column] ?? '') !== '' && (
              <div className="sm:col-span-2">
                <Disclosure label={map.values}>
                  <ul className="grid gap-1.5">
                    {texts.map((text) => (
                      <li key={text} className="grid grid-cols-2 items-center gap-3">
                        <bdi className="truncate">{text}</bdi>
                        <Value
                          label={map.valueFor(text)}
                          target={mapping[column] ?? ''}
                          value={values[column]?.[text] ?? ''}
                          onChange={(value) =>
                            onValues({ ...values, [column]: { ...values[column], [text]: value } })
                          }
                        />
                      </li>
                    ))}
                  </ul>
                </Disclosure>
              </div>
            )}
          </li>
        ))}
      </ul>
      {fault('mapping') !== undefined && (
        <p className="border-t border-line px-4 py-2 text-bad">{fault('mapping')}</p>
      )}
    </Card>
  )
}

interface ValueProps {
  label: string
  target: string
  value: string
  onChange: (value: string) => void
}

/** What stands for a text of a column: one of a few words, or another text. */
function Value({ label, target, value, onChange }: ValueProps) {
  const { map } = importWords
  const isConsent = target.startsWith('consent.')
  if (!isConsent && ownField(target)?.type !== 'boolean') {
    return (
      <Input
        label={label}
        hidden
        placeholder={map.asItStands}
        maxLength={500}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    )
  }
  const words = isConsent ? Object.entries(map.consents) : Object.entries(map.booleans)
  return (
    <Select
      label={label}
      hidden
      value={value}
      onChange={(event) => onChange(event.target.value)}
      options={[['', map.asItStands] as const, ...words]}
    />
  )
}

interface TargetProps {
  kind: Import['kind']
  column: string
  target: string
  onChange: (target: string) => void
  fault: string | undefined
}

const ownFieldChoice = 'attributes.'

function Target({ kind, column, target, onChange, fault }: TargetProps) {
  const { map } = importWords
  const own = ownField(target)
  const isOfContacts = kind === 'contacts'
  const targets = isOfContacts ? plainTargets : suppressionTargets
  const isKnown = target === '' || own !== undefined || targets.some((word) => word === target)
  const choose = (chosen: string) =>
    onChange(chosen === ownFieldChoice ? ownFieldTarget({ key: column, type: '' }) : chosen)
  return (
    <div className="grid content-start gap-1.5">
      <Select
        label={map.becomes(column)}
        hidden
        value={own ? ownFieldChoice : target}
        onChange={(event) => choose(event.target.value)}
        fault={fault}
        options={[
          ['', map.leftOut],
          ...(isOfContacts ? [[ownFieldChoice, map.ownField] as const] : []),
          ...targets.map((word) => [word, map.targets[word]] as const),
          // A target from a file of our own export, such as where a contact confirmed.
          ...(isKnown ? [] : [[target, target] as const]),
        ]}
      />
      {own && (
        <div className="grid grid-cols-[1fr_7.5rem] gap-1.5">
          <Input
            label={map.fieldName(column)}
            hidden
            maxLength={64}
            value={own.key}
            onChange={(event) => onChange(ownFieldTarget({ ...own, key: event.target.value }))}
          />
          <Select
            label={map.fieldType(column)}
            hidden
            value={own.type}
            onChange={(event) =>
              onChange(ownFieldTarget({ ...own, type: event.target.value as FieldType }))
            }
            options={[
              ['', map.types.text],
              ['number', map.types.number],
              ['boolean', map.types.boolean],
              ...(own.type === 'text' ? [['text', map.types.asItStands] as const] : []),
            ]}
          />
        </div>
      )}
    </div>
  )
}
