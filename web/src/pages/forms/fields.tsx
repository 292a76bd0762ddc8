/** The fields in order, moved by dragging or by the arrow keys on their handle. */
import { type KeyboardEvent, useRef, useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { Card } from '../../ui/page.tsx'
import { formWords } from '../../words/forms.ts'
import { FieldEditor } from './field-editor.tsx'
import { type DraftField, type FormDraft, moved, newField } from './model.ts'

interface FieldsProps {
  draft: FormDraft
  onChange: (fields: DraftField[]) => void
  fault: (field: string) => string | undefined
}

export function Fields({ draft, onChange, fault }: FieldsProps) {
  const { fields } = draft
  const forms = formWords
  const [openId, open] = useState<number>()
  const [dragged, drag] = useState<number>()
  const [told, tell] = useState('')
  const list = useRef<HTMLUListElement>(null)

  const move = (from: number, to: number) => {
    if (to < 0 || to >= fields.length || from === to) return
    onChange(moved(fields, from, to))
    tell(forms.movedTo(fields[from]?.label ?? '', to + 1, fields.length))
  }
  const onKeyDown = (event: KeyboardEvent, place: number) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    move(place, place + step)
  }
  const add = () => {
    const field = newField(draft, 'text', forms.newField)
    onChange([...fields, field])
    open(field.id)
    requestAnimationFrame(() => {
      list.current?.querySelector<HTMLInputElement>('[data-open] input')?.select()
    })
  }
  return (
    <Card title={forms.fields} flush>
      <ul ref={list} className="divide-y divide-line">
        {fields.map((field, place) => (
          <li
            key={field.id}
            data-open={field.id === openId || undefined}
            onDragOver={(event) => {
              if (dragged === undefined) return
              event.preventDefault()
              if (dragged === place) return
              move(dragged, place)
              drag(place)
            }}
            className={cx(dragged === place && 'bg-accent-ground')}
          >
            <div className="flex min-h-10 items-center gap-1.5 pr-3 pl-1.5">
              <button
                type="button"
                draggable
                onDragStart={() => drag(place)}
                onDragEnd={() => drag(undefined)}
                onKeyDown={(event) => onKeyDown(event, place)}
                aria-label={forms.move(field.label, place + 1, fields.length)}
                title={forms.moveHint}
                className="grid size-7 shrink-0 cursor-grab place-items-center rounded-md text-muted hover:bg-hover max-sm:size-9"
              >
                <Icon name="grip" />
              </button>
              <button
                type="button"
                aria-expanded={field.id === openId}
                onClick={() => open(field.id === openId ? undefined : field.id)}
                className="flex min-h-9 min-w-0 flex-1 items-center gap-2 text-left"
              >
                <span className="min-w-0 flex-1 truncate font-medium">
                  <bdi>{field.label}</bdi>
                </span>
                {field.required && <span className="text-sm text-muted">{forms.required}</span>}
                <span className="text-sm text-muted">{forms.types[field.type]}</span>
                <Icon name={field.id === openId ? 'down' : 'right'} className="text-muted" />
              </button>
            </div>
            {field.id === openId && (
              <FieldEditor
                field={field}
                others={fields.filter((entry) => entry !== field)}
                onChange={(next) => onChange(fields.with(place, next))}
                onRemove={() => onChange(fields.toSpliced(place, 1))}
                fault={(part) => fault(`fields[${place}].${part}`)}
              />
            )}
          </li>
        ))}
      </ul>
      <div className="flex items-center gap-3 border-t border-line px-3 py-2">
        <Button icon="plus" onClick={add}>
          {forms.addField}
        </Button>
        <span className="text-sm text-muted max-sm:hidden">{forms.moveHint}</span>
      </div>
      <p aria-live="polite" className="sr-only">
        {told}
      </p>
    </Card>
  )
}
