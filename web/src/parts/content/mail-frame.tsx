/** A mail in a frame that runs nothing and loads nothing but uploaded pictures. */
import { useEffect, useRef, useState } from 'react'
import { cx } from '../../ui/classes.ts'
import { contentWords } from '../../words/content.ts'
import { picturesAt } from '../pictures/own-address.ts'

export type MailView = 'desktop' | 'phone' | 'dark'

const darkQuery = '@media (prefers-color-scheme:dark)'

/**
 * The page of the frame has its own policy, which lets a mail have its styles and nothing else. The
 * frame runs no script, and its links lead nowhere, since it may not open windows.
 */
export function MailFrame({
  html,
  view,
  title = contentWords.frame,
  onWritten,
}: {
  html: string
  view: MailView
  /** Told apart from another frame of the page. */
  title?: string
  /** Draws on the mail, and returns what takes the drawing away. */
  onWritten?: (page: Document) => () => void
}) {
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
  useEffect(() => {
    const page = frame.current?.contentDocument
    // Another mail is another page to draw on.
    if (isReady && page && html !== '' && view) return onWritten?.(page)
    return undefined
  }, [html, view, isReady, onWritten])
  return (
    <div className="bg-sunken p-3">
      <iframe
        ref={frame}
        title={title}
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
