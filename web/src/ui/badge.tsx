/** A state in colour, icon and word, so that no single one of them is needed to recognise it. */
import { cx } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'

export type Tone = 'good' | 'warn' | 'bad' | 'live' | 'calm'

const tones: Record<Tone, { look: string; icon: IconName }> = {
  good: { look: 'bg-good-ground text-good', icon: 'check' },
  warn: { look: 'bg-warn-ground text-warn', icon: 'warn' },
  bad: { look: 'bg-bad-ground text-bad', icon: 'error' },
  live: { look: 'bg-accent-ground text-link', icon: 'play' },
  calm: { look: 'bg-sunken text-muted', icon: 'circle' },
}

export function Badge({ tone, icon, children }: { tone: Tone; icon?: IconName; children: string }) {
  return (
    <span
      className={cx(
        'inline-flex h-5 max-w-full items-center gap-1 rounded-full align-middle px-2 text-xs font-medium whitespace-nowrap',
        tones[tone].look,
      )}
    >
      <Icon name={icon ?? tones[tone].icon} className="size-3 shrink-0" />
      <span className="truncate">{children}</span>
    </span>
  )
}

export function TagChip({ children }: { children: string }) {
  return (
    <span className="inline-flex h-5 max-w-40 items-center rounded border border-line px-1.5 text-xs text-muted">
      <span className="truncate">{children}</span>
    </span>
  )
}
