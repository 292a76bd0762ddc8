/** A field of the mail beside its blocks, such as the subject, whose values are chips as on the canvas. */
import type { Editor } from '@tiptap/core'
import { Suspense, useId, useMemo, useRef, useState } from 'react'
import { cx } from '../../ui/classes.ts'
import { controlClass } from '../../ui/field.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { FieldMenu } from './field-menu.tsx'
import { RichText, type Surroundings, SurroundingsContext } from './rich-text.tsx'
import { readLine, readLines, writeLine, writeLines } from './written-text.ts'
import './mail.css'

const ChipDialog = lazyPart(() => import('./dialogs.tsx'), 'ChipDialog')

const ways = {
  line: { read: readLine, write: writeLine },
  lines: { read: readLines, write: writeLines },
}

interface WordsFieldProps {
  /** One line, or as many as are wanted, none of which has marks. */
  kind: keyof typeof ways
  label: string
  hint?: string
  value: string
  onChange: (value: string) => void
  fault: string | undefined
  isRequired?: boolean
  may: boolean
  /** Values that this mail has beside those of contacts, such as `item.title`. */
  ownPaths?: readonly string[]
}

export function WordsField(props: WordsFieldProps) {
  const { kind, label, hint, value, onChange, fault, isRequired = false, may, ownPaths } = props
  const id = useId()
  const editor = useRef<Editor>(undefined)
  const [chip, setChip] = useState<{ editor: Editor; pos: number }>()
  const surroundings = useMemo(
    (): Surroundings => ({
      isEditable: may,
      onFocus: () => undefined,
      onLink: () => undefined,
      onChip: (of, pos) => setChip({ editor: of, pos }),
    }),
    [may],
  )
  const about = fault ?? hint
  return (
    <SurroundingsContext value={surroundings}>
      <div className="grid content-start gap-1">
        <div className="flex min-h-7 items-center justify-between gap-2">
          {/* A click on a label leads to its field, which the browser knows of inputs alone. */}
          <span
            id={id}
            className="text-sm font-medium"
            onPointerUp={() => editor.current?.commands.focus()}
          >
            {label}
          </span>
          {may && (
            <FieldMenu
              of={id}
              ownPaths={ownPaths}
              onField={(code) =>
                editor.current
                  ?.chain()
                  .focus()
                  .insertContent({ type: 'liquid', attrs: { code } })
                  .run()
              }
            />
          )}
        </div>
        <RichText
          kind={kind}
          label={label}
          value={value}
          {...ways[kind]}
          onChange={onChange}
          onEditor={(made) => {
            editor.current = made
          }}
          // As in every field of one line.
          onEnter={
            kind === 'line'
              ? () => editor.current?.view.dom.closest('form')?.requestSubmit()
              : undefined
          }
          isWrong={fault !== undefined}
          isRequired={isRequired}
          describedBy={about === undefined ? undefined : `${id}-about`}
          className={cx(
            'words-field',
            controlClass,
            kind === 'lines' && 'is-tall',
            !may && 'bg-sunken',
          )}
        />
        {about !== undefined && (
          <p
            id={`${id}-about`}
            className={cx('text-sm', fault === undefined ? 'text-muted' : 'text-bad')}
          >
            {about}
          </p>
        )}
      </div>
      <Suspense>{chip && <ChipDialog {...chip} onClose={() => setChip(undefined)} />}</Suspense>
    </SurroundingsContext>
  )
}
