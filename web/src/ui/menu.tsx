import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { cx } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'

export function Menu({
  trigger,
  children,
  align = 'start',
  inColumns = false,
}: {
  trigger: ReactElement
  /** For many items: all fit on a small screen. */
  inColumns?: boolean
  children: ReactNode
  align?: 'start' | 'end'
}) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner sideOffset={4} align={align} className="z-50">
          <Base.Popup
            className={cx(
              'max-h-(--available-height) min-w-48 max-w-80 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop outline-none',
              inColumns && 'grid grid-cols-2',
            )}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** A menu that opens at once where something is, such as the caret. */
export function MenuAt({
  label,
  anchor,
  onClose,
  children,
}: {
  label: string
  anchor: () => { getBoundingClientRect: () => DOMRect }
  /** Whether an item was chosen. */
  onClose: (isChosen: boolean) => void
  children: ReactNode
}) {
  return (
    <Base.Root open onOpenChange={(open, { reason }) => open || onClose(reason === 'item-press')}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} sideOffset={4} align="start" className="z-50">
          <Base.Popup
            aria-label={label}
            className="max-h-72 min-w-48 overflow-y-auto rounded-lg border border-line bg-raised p-1 shadow-pop outline-none"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export function MenuItem({
  icon,
  children,
  onClick,
  danger,
  detail,
}: {
  icon?: IconName
  children: ReactNode
  onClick: () => void
  danger?: boolean
  detail?: ReactNode
}) {
  return (
    <Base.Item
      onClick={onClick}
      className={cx(
        'flex min-h-8 cursor-pointer items-center gap-2 rounded-md px-2 outline-none select-none data-highlighted:bg-hover max-sm:min-h-10',
        danger && 'text-bad',
      )}
    >
      {icon && <Icon name={icon} className={danger ? undefined : 'text-muted'} />}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {detail}
    </Base.Item>
  )
}

export function MenuLine() {
  return <Base.Separator className="my-1 h-px bg-line" />
}
