/** Form fields, with the label above and the error below. */
import { type ComponentProps, type ReactNode, useId } from 'react'
import { cx } from './classes.ts'
import { Icon } from './icon.tsx'

export const controlClass =
  'w-full min-w-0 text-ellipsis rounded-md border border-line-strong bg-surface px-2.5 text-base text-ink transition-colors hover:border-muted aria-invalid:border-bad disabled:opacity-60 focus-visible:outline-offset-0'
export const inputClass = cx(controlClass, 'h-8 max-sm:h-10')

interface FieldProps {
  label: string
  hint?: ReactNode
  fault?: string | undefined
  /** Shows the label only to screen readers. */
  hidden?: boolean
}

interface Described {
  id: string
  'aria-invalid': true | undefined
  'aria-describedby': string | undefined
}

function Field({
  label,
  hint,
  fault,
  hidden,
  children,
}: FieldProps & { children: (described: Described) => ReactNode }) {
  const id = useId()
  const described = fault !== undefined || hint !== undefined
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className={hidden ? 'sr-only' : 'text-sm font-medium'}>
        {label}
      </label>
      {children({
        id,
        'aria-invalid': fault === undefined ? undefined : true,
        'aria-describedby': described ? `${id}-about` : undefined,
      })}
      {described && (
        <p
          id={`${id}-about`}
          className={cx('text-sm', fault === undefined ? 'text-muted' : 'text-bad')}
        >
          {fault ?? hint}
        </p>
      )}
    </div>
  )
}

export function Input({
  label,
  hint,
  fault,
  hidden,
  className,
  ...rest
}: FieldProps & ComponentProps<'input'>) {
  return (
    <Field {...{ label, hint, fault, ...(hidden && { hidden }) }}>
      {(described) => <input {...rest} {...described} className={cx(inputClass, className)} />}
    </Field>
  )
}

/** A text field that suggests values and takes any other too. */
export function SuggestInput({
  suggestions,
  ...rest
}: { suggestions: readonly (readonly [value: string, name: string])[] } & Parameters<
  typeof Input
>[0]) {
  const list = useId()
  return (
    <>
      <Input {...rest} list={list} autoComplete="off" />
      <datalist id={list}>
        {suggestions.map(([value, name]) => (
          <option key={value} value={value}>
            {name}
          </option>
        ))}
      </datalist>
    </>
  )
}

/** A colour as `#rrggbb` or by its name, typed or picked. Empty stands for a default. */
export function ColourField({
  label,
  pickLabel,
  value,
  usual = '#4338ca',
  onChange,
  ...rest
}: FieldProps & {
  pickLabel: string
  /** What is shown where it is empty. */
  usual?: string | undefined
  value: string
  onChange: (event: { target: { value: string } }) => void
  disabled?: boolean
}) {
  const isWhole = /^#[0-9a-f]{6}$/i.test(value)
  return (
    <div className="flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Input
          {...rest}
          {...{ label, value, onChange }}
          maxLength={20}
          spellCheck={false}
          onBlur={() => {
            const named = namedColour(value)
            if (named !== undefined) onChange({ target: { value: named } })
          }}
        />
      </div>
      <input
        type="color"
        aria-label={pickLabel}
        value={isWhole ? value : usual}
        onChange={onChange}
        className={cx(inputClass, 'mt-[1.4rem] w-12! shrink-0 p-1')}
      />
    </div>
  )
}

/** The `#rrggbb` of a name that browsers know, such as `teal`. */
function namedColour(name: string): string | undefined {
  const paint = document.createElement('canvas').getContext('2d')
  if (!paint || !/^[a-z]+$/i.test(name)) return undefined
  paint.fillStyle = '#000001'
  paint.fillStyle = name
  return paint.fillStyle === '#000001' ? undefined : paint.fillStyle
}

export function TextArea({
  label,
  hint,
  fault,
  className,
  ...rest
}: FieldProps & ComponentProps<'textarea'>) {
  return (
    <Field {...{ label, hint, fault }}>
      {(described) => (
        <textarea
          rows={4}
          {...rest}
          {...described}
          className={cx(controlClass, 'py-1.5', className)}
        />
      )}
    </Field>
  )
}

export function Select({
  label,
  hint,
  fault,
  hidden,
  options,
  className,
  ...rest
}: FieldProps &
  ComponentProps<'select'> & { options: readonly (readonly [value: string, name: string])[] }) {
  return (
    <Field {...{ label, hint, fault, ...(hidden && { hidden }) }}>
      {(described) => (
        <span className={cx('relative block w-full', className)}>
          <select {...rest} {...described} className={cx(inputClass, 'appearance-none pr-8')}>
            {options.map(([value, name]) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
          <Icon
            name="down"
            className="pointer-events-none absolute top-1/2 right-2.5 size-3.5 -translate-y-1/2 text-muted"
          />
        </span>
      )}
    </Field>
  )
}

export function Checkbox({
  label,
  hint,
  ...rest
}: { label: string; hint?: string } & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className="flex items-start gap-2">
      <input
        {...rest}
        type="checkbox"
        id={id}
        className="mt-[3px] size-3.5 shrink-0 accent-accent"
      />
      <div className="grid">
        <label htmlFor={id}>{label}</label>
        {hint && <span className="text-sm text-muted">{hint}</span>}
      </div>
    </div>
  )
}
