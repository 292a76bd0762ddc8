import { cx } from '../../ui/classes.ts'
import { Icon } from '../../ui/icon.tsx'
import { importWords } from '../../words/imports.ts'

const steps = ['file', 'review', 'result'] as const

/** The current step of the wizard. */
export function Steps({ at }: { at: (typeof steps)[number] }) {
  const place = steps.indexOf(at)
  return (
    <ol
      className="flex flex-wrap items-center gap-x-2 gap-y-1"
      aria-label={importWords.steps.label}
    >
      {steps.map((step, index) => (
        <li
          key={step}
          aria-current={step === at ? 'step' : undefined}
          className={cx('flex items-center gap-2', index === place ? 'font-medium' : 'text-muted')}
        >
          {index > 0 && <Icon name="right" className="size-3.5 text-muted" />}
          <span
            className={cx(
              'grid size-5 place-items-center rounded-full text-xs tabular-nums',
              index < place && 'bg-good-ground text-good',
              index === place && 'bg-accent text-on-accent',
              index > place && 'border border-line-strong',
            )}
          >
            {index < place ? <Icon name="check" className="size-3" /> : index + 1}
          </span>
          {importWords.steps[step]}
        </li>
      ))}
    </ol>
  )
}
