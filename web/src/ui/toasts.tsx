/** Shows the messages of `tell.ts` in the corner. Loaded once the page is drawn. */
import { Toast } from '@base-ui/react/toast'
import { useEffect, useState } from 'react'
import { words } from '../words/words.ts'
import { IconButton } from './button.tsx'
import { cx } from './classes.ts'
import { Icon } from './icon.tsx'
import { listenToMessages, type Message } from './tell.ts'

export function Toasts() {
  const [manager] = useState(Toast.createToastManager)
  useEffect(
    () =>
      listenToMessages(({ title, description, bad, undo, about }: Message) => {
        manager.add({
          title,
          ...(about !== undefined && { id: about }),
          ...(description !== undefined && { description }),
          ...(bad && { type: 'bad', timeout: 10_000 }),
          ...(undo && { actionProps: { children: words.undo, onClick: undo } }),
        })
      }),
    [manager],
  )
  return (
    <Toast.Provider toastManager={manager} limit={3}>
      <Toast.Portal>
        <Toast.Viewport
          aria-label={words.notifications}
          className="fixed right-4 bottom-20 max-sm:top-4 max-sm:bottom-auto z-50 flex w-[calc(100vw-2rem)] max-w-sm flex-col gap-2 outline-none"
        >
          <List />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function List() {
  const { toasts } = Toast.useToastManager()
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      className="rounded-lg border border-line bg-raised shadow-pop transition-all duration-200 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-2 data-starting-style:opacity-0"
    >
      <Toast.Content className="flex items-start gap-2.5 p-3">
        <Icon
          name={toast.type === 'bad' ? 'error' : 'check'}
          className={cx('mt-0.5 shrink-0', toast.type === 'bad' ? 'text-bad' : 'text-good')}
        />
        <div className="min-w-0 flex-1">
          <Toast.Title className="font-medium" />
          <Toast.Description className="text-muted" />
        </div>
        <Toast.Action className="font-medium text-link empty:hidden hover:underline" />
        {/* Base UI hides it from screen readers until the list is open, though it can be focused. */}
        <Toast.Close
          aria-hidden={false}
          render={<IconButton icon="close" label={words.close} className="-m-1" />}
        />
      </Toast.Content>
    </Toast.Root>
  ))
}
