/** A mail drawn small, once it comes into view. Nothing in it can be reached. */
import { type QueryKey, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { cx } from '../../ui/classes.ts'
import { MailFrame } from './mail-frame.tsx'

interface MailThumbnailProps {
  /** Another key for another content: what was drawn once is not read again. */
  queryKey: QueryKey
  title: string
  /** Reads the HTML; null for what has none. */
  read: () => Promise<string | null>
  /** In a row of a list, rather than on a card. */
  isSmall?: boolean
}

export function MailThumbnail({ queryKey, title, read, isSmall = false }: MailThumbnailProps) {
  const box = useRef<HTMLSpanElement>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    if (!box.current) return undefined
    const watch = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  const { data: html } = useQuery({
    queryKey,
    queryFn: () => inTurn(read),
    enabled: isSeen,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <span
      ref={box}
      inert
      aria-hidden
      className={cx(
        'block overflow-hidden bg-sunken',
        isSmall ? 'h-12 w-12 rounded-md border border-line' : 'h-48',
      )}
    >
      {typeof html === 'string' && (
        <span
          className={cx('block [&_iframe]:pointer-events-none', isSmall ? 'w-12' : 'mx-auto w-44')}
        >
          <span
            className={cx(
              'block h-[600px] w-[600px] origin-top-left',
              isSmall ? 'scale-[0.08]' : 'scale-[0.29]',
            )}
          >
            <MailFrame html={html} view="desktop" title={title} />
          </span>
        </span>
      )}
    </span>
  )
}

let turn: Promise<unknown> = Promise.resolve()

/** One after the other: the service checks few mails of a business at a time. */
function inTurn<T>(work: () => Promise<T>): Promise<T> {
  const next = turn.then(work, work)
  turn = next
  return next
}
