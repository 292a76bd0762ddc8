/** Quick filters in a row that scrolls sideways on phones and wraps elsewhere. */
import type { ReactNode } from 'react'
import { number } from '../words/words.ts'
import { cx } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'

export function ChipRow({ children }: { children: ReactNode }) {
  return (
    <div className="-mx-5 flex items-center gap-1.5 overflow-x-auto px-5 py-0.5 max-sm:-mx-4 max-sm:px-4 sm:flex-wrap">
      {children}
    </div>
  )
}

interface FilterChipProps {
  on: boolean
  count?: number | undefined
  icon?: IconName
  onClick: () => void
  children: string
}

export function FilterChip({ on, count, icon, onClick, children }: FilterChipProps) {
  return (
    <button
      type="button"
      aria-pressed={on}
      onClick={onClick}
      className={cx(
        'inline-flex h-6.5 shrink-0 items-center gap-1.5 rounded-full border px-2.5 text-sm whitespace-nowrap max-sm:h-8',
        on
          ? 'border-accent bg-accent-ground text-link'
          : 'border-line text-muted hover:bg-hover hover:text-ink',
      )}
    >
      {icon && <Icon name={icon} className="size-3.5" />}
      {children}
      {count !== undefined && <span className="tabular-nums">{number(count)}</span>}
    </button>
  )
}
