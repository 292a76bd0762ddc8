/** The field that searches a list. */
import { useRef, useState } from 'react'
import { useKeys } from '../shell/shortcuts.ts'
import { inputClass } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'

/** Tells what was typed once the typing pauses. The key `/` moves the focus here. */
export function SearchField({
  label,
  value,
  onChange,
}: {
  label: string
  value: string
  onChange: (value: string) => void
}) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState(value)
  const [timer, setTimer] = useState<ReturnType<typeof setTimeout>>()
  const [before, setBefore] = useState(value)
  // Back and forward change only the URL.
  if (value !== before) {
    setBefore(value)
    setTyped(value)
  }
  useKeys({
    '/': (event) => {
      event.preventDefault()
      field.current?.focus()
    },
  })
  return (
    <div className="relative">
      <Icon
        name="search"
        className="pointer-events-none absolute top-2 left-2.5 text-muted max-sm:top-3"
      />
      <input
        ref={field}
        type="search"
        aria-label={label}
        placeholder={label}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value)
          clearTimeout(timer)
          setTimer(setTimeout(() => onChange(target.value.trim()), 200))
        }}
        className={`${inputClass} pl-8`}
      />
    </div>
  )
}
