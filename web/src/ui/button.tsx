import type { ComponentProps, ReactNode } from 'react'
import { cx } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'

export type ButtonLook = 'main' | 'plain' | 'quiet' | 'danger'

const looks: Record<ButtonLook, string> = {
  main: 'bg-accent text-on-accent border-transparent hover:bg-accent-strong shadow-flat',
  plain: 'bg-surface text-ink border-line hover:bg-hover shadow-flat',
  quiet: 'bg-transparent text-muted border-transparent hover:bg-hover hover:text-ink',
  danger: 'bg-surface text-bad border-line hover:bg-bad-ground shadow-flat',
}

const shape =
  'inline-flex h-8 shrink-0 items-center justify-center gap-1.5 rounded-md border px-2.5 text-base font-medium whitespace-nowrap transition-colors disabled:cursor-default disabled:opacity-55 max-sm:h-9'

/** Also for links that look like buttons. */
export const buttonClass = (look: ButtonLook = 'plain', className?: string) =>
  cx(shape, looks[look], className)

export interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook
  icon?: IconName | undefined
  /** An action is under way: the button is disabled and shows that. */
  busy?: boolean
}

export function Button({ look, icon, busy, children, className, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      {...rest}
      disabled={rest.disabled || busy}
      aria-busy={busy || undefined}
      className={buttonClass(look, className)}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

export interface IconButtonProps extends ComponentProps<'button'> {
  icon: IconName
  label: string
}

/** The label is for screen readers and is shown as a tooltip. */
export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      aria-label={label}
      {...rest}
      className={cx(
        'inline-flex size-7 shrink-0 items-center justify-center rounded-md text-muted transition-colors hover:bg-hover hover:text-ink max-sm:size-9',
        className,
      )}
    >
      <Icon name={icon} />
    </button>
  )
}

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-flex h-[18px] min-w-[18px] items-center justify-center rounded border border-line bg-sunken px-1 font-sans text-xs text-muted">
      {children}
    </kbd>
  )
}
