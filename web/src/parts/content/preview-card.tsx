/** How a mail or a text comes out: on a desktop, a phone, dark, and as text. */
import { type ReactNode, useState } from 'react'
import { cx } from '../../ui/classes.ts'
import { Card } from '../../ui/page.tsx'
import { Failure, Skeleton } from '../../ui/states.tsx'
import { contentWords } from '../../words/content.ts'
import type { Channel } from './content.ts'
import { MailFrame, type MailView } from './mail-frame.tsx'

type View = MailView | 'plain'

export interface Shown {
  subject?: string
  html?: string | null
  text: string
  segments?: number | null
  warnings?: readonly string[]
}

interface PreviewCardProps {
  channel: Channel
  shown: Shown | undefined
  error: unknown
  /** Nothing is written yet. */
  isEmpty?: boolean
  /** Nothing stands beside it, which it would stay in view with. */
  isAlone?: boolean
  /** Above the mail, such as whose data fill it in. */
  children?: ReactNode
}

export function PreviewCard(props: PreviewCardProps) {
  const { channel, shown, error, isEmpty, isAlone, children } = props
  const w = contentWords
  const isMail = channel === 'email'
  const [chosen, setView] = useState<View>('desktop')
  const views = Object.keys(w.views) as View[]
  // Mail of text alone has nothing to frame.
  const hasFrame = isMail && (shown === undefined || (shown.html ?? '') !== '')
  const view = hasFrame ? chosen : 'plain'
  return (
    <div className={cx('min-w-0', !isAlone && 'lg:sticky lg:top-16')}>
      <Card
        title={w.preview}
        flush
        actions={
          hasFrame && (
            <span className="flex rounded-md border border-line p-px">
              {views.map((entry) => (
                <button
                  key={entry}
                  type="button"
                  aria-pressed={view === entry}
                  onClick={() => setView(entry)}
                  className={cx(
                    'h-6.5 rounded px-2 text-sm max-sm:h-8',
                    view === entry ? 'bg-hover text-ink' : 'text-muted hover:text-ink',
                  )}
                >
                  {w.views[entry]}
                </button>
              ))}
            </span>
          )
        }
      >
        {children && <div className="border-b border-line px-4 py-2.5">{children}</div>}
        {isEmpty ? (
          <p className="p-4 text-muted">{w.nothingYet}</p>
        ) : (
          !shown && !error && <Skeleton lines={8} />
        )}
        {!isEmpty && shown && (
          <>
            {isMail && shown.subject !== undefined && (
              <p className="border-b border-line px-4 py-2.5 font-medium">
                <bdi>{shown.subject}</bdi>
              </p>
            )}
            {view === 'plain' ? (
              <pre className="p-4 font-mono text-sm break-words whitespace-pre-wrap">
                {shown.text}
              </pre>
            ) : (
              <MailFrame html={shown.html ?? ''} view={view} />
            )}
          </>
        )}
        {!isEmpty && !shown && error !== null && error !== undefined && (
          <div className="p-4">
            <Failure error={error} />
          </div>
        )}
        <div className="grid gap-1 border-t border-line px-4 py-2 text-sm text-muted empty:hidden">
          {error !== null && error !== undefined && shown && <p>{w.notYet}</p>}
          {shown && view !== 'plain' && <p>{w.images}</p>}
          {shown?.segments != null && <p>{w.parts(String(shown.segments))}</p>}
          {shown?.warnings && shown.warnings.length > 0 && (
            <ul aria-label={w.warnings} className="grid list-disc gap-1 pl-4">
              {shown.warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          )}
        </div>
      </Card>
    </div>
  )
}
