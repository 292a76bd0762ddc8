/** Dialogs in the middle and drawers at the side. Base UI traps and restores the focus. */
import { Dialog as Base } from '@base-ui/react/dialog'
import { type ReactNode, useRef } from 'react'
import { words } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { cx } from './classes.ts'

interface Shown {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
}

/** A dialog over another one, or over a drawer, dims it too: `forceRender`. */
export const backdropClass =
  'fixed inset-0 z-40 bg-shade transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0'

interface DialogProps extends Shown {
  description?: ReactNode
  wide?: boolean
  /** Moves the focus once the dialog is gone. Without it, it goes back to where it was before. */
  giveFocus?: () => void
}

export function Dialog({
  open,
  onClose,
  title,
  description,
  children,
  wide,
  giveFocus,
}: DialogProps) {
  const body = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop forceRender className={backdropClass} />
        <Base.Viewport className="fixed inset-0 z-40 flex items-start justify-center overflow-y-auto p-4 pt-[12vh] max-sm:p-0">
          <Base.Popup
            finalFocus={giveFocus && (() => leaveFocusTo(giveFocus))}
            initialFocus={(way) => (way === 'touch' ? true : (firstField(body.current) ?? true))}
            className={cx(
              'w-full rounded-xl border border-line bg-raised shadow-pop transition-all duration-150 data-ending-style:opacity-0 data-starting-style:translate-y-1 data-starting-style:opacity-0 max-sm:mt-auto max-sm:rounded-b-none',
              wide ? 'max-w-2xl' : 'max-w-md',
            )}
          >
            <header className="flex items-center gap-2 border-b border-line py-2.5 pr-2.5 pl-4">
              <Base.Title className="min-w-0 flex-1 text-lg font-semibold">{title}</Base.Title>
              <Base.Close render={<IconButton icon="close" label={words.close} />} />
            </header>
            <div ref={body} className="grid gap-4 p-4">
              {description && (
                <Base.Description className="text-muted">{description}</Base.Description>
              )}
              {children}
            </div>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** What the dialog covered takes no focus until its other effects have ended. */
function leaveFocusTo(giveFocus: () => void): false {
  queueMicrotask(giveFocus)
  return false
}

/** Where typing begins; a dialog without fields gives the focus to its first button. */
function firstField(body: HTMLElement | null): HTMLElement | undefined {
  return body?.querySelector<HTMLElement>('input, select, textarea') ?? undefined
}

/** Opens from the right. On a phone it fills the page. */
export function Drawer({
  open,
  onClose,
  title,
  children,
  actions,
}: Shown & { actions?: ReactNode }) {
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop forceRender className={backdropClass} />
        <Base.Viewport className="fixed inset-0 z-40 flex justify-end">
          <Base.Popup className="flex h-dvh w-full max-w-[520px] flex-col border-l border-line bg-raised shadow-pop transition-all duration-200 ease-out data-ending-style:translate-x-6 data-ending-style:opacity-0 data-starting-style:translate-x-6 data-starting-style:opacity-0">
            <header className="flex items-center gap-1 border-b border-line py-2 pr-2 pl-4">
              <Base.Title className="min-w-0 flex-1 truncate text-lg font-semibold">
                {title}
              </Base.Title>
              {actions}
              <Base.Close render={<IconButton icon="close" label={words.close} />} />
            </header>
            <div className="flex-1 overflow-y-auto overscroll-contain">{children}</div>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

/** The buttons below a dialog. On a phone they take the full width. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="flex flex-wrap justify-end gap-2 max-sm:*:flex-1">{children}</div>
}
