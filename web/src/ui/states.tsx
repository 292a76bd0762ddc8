/** The states of a page without content: loading, empty, or failed. */
import { CrierError } from '@crier-mail/sdk/session'
import type { ReactNode } from 'react'
import { refusalWords } from '../words/refusals.ts'
import { colon, words } from '../words/words.ts'
import { Button, buttonClass } from './button.tsx'
import { cx } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'

/** Lines in place of future rows, shown only if loading takes longer than a moment. */
export function Skeleton({ lines = 6 }: { lines?: number }) {
  return (
    <div role="status" className="after-a-moment grid gap-3 p-4">
      <span className="sr-only">{words.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines that are all alike.
        <div key={line} className={cx('pulse h-4', line % 3 === 2 ? 'w-2/5' : 'w-4/5')} />
      ))}
    </div>
  )
}

/** One sentence and one button. */
export function Empty({
  icon,
  children,
  action,
  isPage = false,
}: {
  icon: IconName
  children: ReactNode
  action?: ReactNode
  /** It is all that the page has, and so its heading. */
  isPage?: boolean
}) {
  const Text = isPage ? 'h1' : 'p'
  return (
    <div className="mx-auto grid max-w-md grid-cols-[minmax(0,1fr)] justify-items-center gap-3 px-4 py-14 text-center">
      <span className="grid size-10 place-items-center rounded-xl border border-line bg-surface text-muted shadow-flat">
        <Icon name={icon} />
      </span>
      <Text className="text-muted">{children}</Text>
      {action}
    </div>
  )
}

/** The same for a list inside a card: smaller, and at the left as its rows would be. */
export function EmptyList({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] justify-items-start gap-2 p-4">
      <p className="text-muted">{children}</p>
      {action}
    </div>
  )
}

/**
 * The error and the next step; earlier content stays above or below it. Where the service itself failed, the
 * call's id stands below, for whoever runs it.
 */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { message, requestId } = problemOf(error)
  return (
    <div
      role="alert"
      className="flex flex-wrap items-start gap-2.5 rounded-lg border border-line bg-bad-ground p-3"
    >
      <Icon name="error" className="mt-0.5 shrink-0 text-bad" />
      <div className="min-w-0 flex-1 basis-56">
        <p>{message}</p>
        {requestId !== undefined && (
          <p className="text-xs text-muted">
            {words.requestId}
            {colon}
            <span className="font-mono">{requestId}</span>
          </p>
        )}
      </div>
      {isHeld(error) ? (
        <a
          href={`/login?again=yes&next=${encodeURIComponent(location.pathname)}`}
          className={buttonClass('main')}
        >
          {words.session.here}
        </a>
      ) : (
        onRetry && <Button onClick={onRetry}>{words.retry}</Button>
      )}
    </div>
  )
}

/** The id is given where only whoever runs the service can find out why. */
export function problemOf(error: unknown): { message: string; requestId?: string | undefined } {
  if (!(error instanceof CrierError)) return { message: words.somethingFailed }
  const { code, status, requestId, fix } = error
  if (code === 'network' || code === 'timeout') return { message: words.offline }
  if (code === 'unauthorized' && fix?.url !== undefined) return { message: words.session.oldTitle }
  return { message: messageOf(error), ...(status >= 500 && { requestId }) }
}

/** The company no longer confirms the person: only a sign-in there helps. */
const isHeld = (error: unknown): boolean =>
  error instanceof CrierError && error.data['reason'] === 'held'

/** A refusal in the reader's language where the app has words for it, else the service's sentence. */
export function messageOf({
  message,
  code,
  data,
  field,
}: Pick<CrierError, 'message' | 'code' | 'data' | 'field'>): string {
  if (field?.startsWith('filter')) return refusalWords.filter
  const reason = refusalWords.reasons[String(data['reason'])]
  return reason?.(data) ?? refusalWords.codes[code] ?? message
}

/** The error of a field, by its name; undefined where the error concerns something else. */
export function faultOf(error: unknown): (field: string) => string | undefined {
  return (field) => {
    if (!(error instanceof CrierError) || error.field === undefined) return undefined
    const isIt =
      error.field === field ||
      error.field.startsWith(`${field}.`) ||
      error.field.startsWith(`${field}[`)
    return isIt ? messageOf(error) : undefined
  }
}
