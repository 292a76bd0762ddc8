/** The frame of a page, whose title and buttons stay in view in one line. */
import { createContext, type ReactNode, useContext, useEffect, useRef } from 'react'
import { cx } from './classes.ts'
import { setPageTitle } from './title.ts'

/** What stands at the end of each page’s header, such as its help. */
export const HeaderEnd = createContext<ReactNode>(null)

export function Page({
  title,
  detail,
  actions,
  children,
  fill,
}: {
  title: ReactNode
  detail?: ReactNode
  actions?: ReactNode
  children: ReactNode
  /** Fills the height of the window, so that the table scrolls and not the page. */
  fill?: boolean
}) {
  const heading = useRef<HTMLSpanElement>(null)
  // A title may be made of parts, so its text is read after each change.
  useEffect(() => setPageTitle(heading.current?.textContent ?? ''))
  return (
    <div className={cx('flex min-w-0 flex-col', fill ? 'h-full' : 'min-h-full')}>
      <header className="sticky top-0 z-10 flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-surface px-5 py-2 max-sm:px-4">
        <div className="flex min-w-[min(11rem,100%)] flex-1 items-center gap-2.5">
          <h1 className="min-w-0 text-lg font-semibold">
            <span
              ref={heading}
              className="block truncate max-sm:line-clamp-2 max-sm:whitespace-normal"
            >
              {title}
            </span>
          </h1>
          {detail && <span className="shrink-0 text-muted tabular-nums">{detail}</span>}
        </div>
        {actions && (
          <div className="flex min-w-0 flex-wrap items-center gap-2 max-sm:order-1">{actions}</div>
        )}
        {useContext(HeaderEnd)}
      </header>
      {children}
    </div>
  )
}

/** Text to read, as opposed to rows to look something up in. */
export function Body({ children, narrow }: { children: ReactNode; narrow?: boolean }) {
  return (
    <div
      className={cx(
        'grid w-full content-start gap-6 p-5 max-sm:p-4',
        narrow ? 'mx-auto max-w-2xl' : 'max-w-6xl',
      )}
    >
      {children}
    </div>
  )
}

export function Card({
  title,
  actions,
  children,
  flush,
}: {
  title?: ReactNode
  actions?: ReactNode
  children: ReactNode
  flush?: boolean
}) {
  return (
    <section className="min-w-0 overflow-clip rounded-xl border border-line bg-surface shadow-flat">
      {title && (
        <header className="flex min-h-11 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
          <h2 className="min-w-0 flex-1 basis-40 font-semibold">{title}</h2>
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </header>
      )}
      <div className={flush ? '' : 'p-4'}>{children}</div>
    </section>
  )
}

/** Names with their values, such as the facts of one object. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-[minmax(96px,auto)_1fr] gap-x-4 gap-y-1.5">{children}</dl>
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0">{children}</dd>
    </>
  )
}
