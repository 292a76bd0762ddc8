/** A mail of blocks as it comes out, while it is written: on a desktop, a phone, dark, and as text. */
import { useEffect, useRef, useState } from 'react'
import { cx } from '../../ui/classes.ts'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/states.tsx'
import { blockWords } from '../../words/block-words.ts'
import { picturesAt } from '../pictures/own-address.ts'
import { type BlockMail, useBlockPreview } from './use-block-preview.ts'

type View = keyof typeof blockWords.views

export function BlockPreview(mail: BlockMail) {
  const [view, setView] = useState<View>('desktop')
  const { made, error } = useBlockPreview(mail)
  const shown = made?.previews.find((one) => one.data === 'sample')
  return (
    <div className="min-w-0 lg:sticky lg:top-16">
      <Card
        title={blockWords.preview}
        flush
        actions={
          <span className="flex rounded-md border border-line p-px">
            {(Object.keys(blockWords.views) as View[]).map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={view === one}
                onClick={() => setView(one)}
                className={cx(
                  'h-6.5 rounded px-2 text-sm max-sm:h-8',
                  view === one ? 'bg-hover text-ink' : 'text-muted hover:text-ink',
                )}
              >
                {blockWords.views[one]}
              </button>
            ))}
          </span>
        }
      >
        {!shown && mail.blocks.length > 0 && !error && <Skeleton lines={8} />}
        {!shown && mail.blocks.length === 0 && <p className="p-4 text-muted">{blockWords.empty}</p>}
        {shown && view === 'plain' && (
          <pre className="p-4 font-mono text-sm whitespace-pre-wrap">{shown.text}</pre>
        )}
        {shown && view !== 'plain' && <Frame html={shown.html ?? ''} view={view} />}
        <div className="grid gap-1 border-t border-line px-4 py-2 text-sm text-muted empty:hidden">
          {error && shown && <p>{blockWords.notYet}</p>}
          {view !== 'plain' && <p>{blockWords.images}</p>}
          {made && made.warnings.length > 0 && (
            <ul aria-label={blockWords.warnings} className="grid list-disc gap-1 pl-4">
              {made.warnings.map((warning) => (
                <li key={warning}>{warning}</li>
              ))}
            </ul>
          )}
        </div>
      </Card>
    </div>
  )
}

const darkQuery = '@media (prefers-color-scheme:dark)'

/**
 * The page of the frame has its own policy, which lets a mail have its styles and nothing else. The
 * frame runs no script, and its links lead nowhere, since it may not open windows.
 */
function Frame({ html, view }: { html: string; view: Exclude<View, 'plain'> }) {
  const frame = useRef<HTMLIFrameElement>(null)
  const [isReady, setReady] = useState(false)
  useEffect(() => {
    const page = frame.current?.contentDocument
    if (!isReady || !page) return
    const themed = html
      .replaceAll(darkQuery, view === 'dark' ? '@media all' : '@media not all')
      .replace('<head>', '<head><base target="_blank">')
      // The policy would refuse them too, and say so in the console each time.
      .replaceAll(' src="http', ' data-src="http')
      .replaceAll(` data-src="${picturesAt}`, ` src="${picturesAt}`)
    page.open()
    page.write(themed)
    page.close()
  }, [html, view, isReady])
  return (
    <div className="bg-sunken p-3">
      <iframe
        ref={frame}
        title={blockWords.frame}
        sandbox="allow-same-origin"
        src="/b/mail-frame"
        onLoad={() => setReady(true)}
        className={cx(
          'mx-auto block h-[560px] rounded-lg border border-line bg-[#ffffff] [color-scheme:light]',
          view === 'phone' ? 'w-[375px] max-w-full' : 'w-full',
        )}
      />
    </div>
  )
}
