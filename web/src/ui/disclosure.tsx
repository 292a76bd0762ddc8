/** A line that opens what is below it, which is only made then. */
import { type ReactNode, useState } from 'react'
import { cx } from './classes.ts'
import { Icon } from './icon.tsx'

export function Disclosure({ label, children }: { label: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="grid gap-2">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        className="-mx-1 flex items-center gap-1 justify-self-start rounded px-1 text-sm max-sm:min-h-6 text-muted hover:text-ink"
      >
        <Icon name="right" className={cx('size-3 transition-transform', isOpen && 'rotate-90')} />
        {label}
      </button>
      {isOpen && <div className="grid gap-2 border-l border-line pl-3 text-sm">{children}</div>}
    </div>
  )
}
