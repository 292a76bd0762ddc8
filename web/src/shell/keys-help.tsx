import { Kbd } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Checkbox } from '../ui/field.tsx'
import { words } from '../words/words.ts'
import { everyPage } from './pages.ts'
import { turnShortcuts, useShortcutsOn } from './shortcuts.ts'

export function KeysHelp({ open, onClose }: { open: boolean; onClose: () => void }) {
  const on = useShortcutsOn()
  const { keys } = words
  const pages = everyPage.flatMap(({ name, key }) =>
    key === undefined ? [] : [[['g', key], words.palette.go(words.nav[name])] as const],
  )
  const others: (readonly [string[], string])[] = [
    [[keys.names.control, 'K'], keys.palette],
    [['/'], keys.search],
    [['j'], keys.next],
    [['k'], keys.previous],
    [[keys.names.enter], keys.open],
    [['x'], keys.select],
    [[keys.names.escape], keys.close],
    [['?'], keys.help],
  ]
  return (
    <Dialog open={open} onClose={onClose} title={keys.title}>
      <Checkbox
        label={keys.on}
        checked={on}
        onChange={({ target }) => turnShortcuts(target.checked)}
      />
      <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1.5">
        {[...others, ...pages].map(([pressed, does]) => (
          <div key={does} className="contents">
            <dt className="flex gap-1">
              {pressed.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd className="text-muted">{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
