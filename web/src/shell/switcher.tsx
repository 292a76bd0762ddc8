import { useBusiness } from '../api/businesses.ts'
import { Icon } from '../ui/icon.tsx'
import { words } from '../words/words.ts'

/** The current business. A click shows the others. */
export function Switcher({ onOpen }: { onOpen: () => void }) {
  const name = useBusiness()?.name ?? '…'
  return (
    <button
      type="button"
      onClick={onOpen}
      aria-haspopup="dialog"
      className="flex h-9 min-w-0 flex-1 items-center gap-2 rounded-md px-1.5 hover:bg-hover sm:flex-none"
    >
      <Mark name={name} />
      <span className="sr-only">{words.switcher.label}</span>
      <bdi className="min-w-0 truncate font-semibold">{name}</bdi>
      <Icon name="down" className="size-3.5 shrink-0 text-muted" />
    </button>
  )
}

/** The first letter of a name, as an icon. */
export function Mark({ name }: { name: string }) {
  const [first] = new Intl.Segmenter().segment(name.trim())
  return (
    <span
      aria-hidden="true"
      className="grid size-6 shrink-0 place-items-center rounded-md bg-accent text-xs font-semibold text-on-accent uppercase"
    >
      {first?.segment}
    </span>
  )
}
