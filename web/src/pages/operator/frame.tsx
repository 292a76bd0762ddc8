/** The frame of the operator's pages: the links between them, and what others see in their place. */
import { CrierError } from '@crier-mail/sdk/session'
import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { Body, Page } from '../../ui/page.tsx'
import { Empty, Failure, Skeleton } from '../../ui/states.tsx'
import { operatorWords } from '../../words/operator.ts'

export function OperatorLinks() {
  const operator = operatorWords
  const business = useBusinessId()
  const nav = useRef<HTMLElement>(null)
  // On a phone the links scroll, and the one of this page may stand beyond the edge.
  useEffect(() => {
    const current = nav.current?.querySelector('[aria-current]')
    current?.scrollIntoView({ inline: 'nearest', block: 'nearest' })
  }, [])
  const links = [
    ['/$business/status', operator.back],
    ['/$business/operator/businesses', operator.businesses.tab],
    ['/$business/operator/tiers', operator.tiers.tab],
    ['/$business/operator/jobs', operator.jobs.tab],
    ['/$business/operator/mail', operator.mail.tab],
  ] as const
  return (
    <nav
      ref={nav}
      aria-label={operator.nav}
      className="-mx-5 flex gap-1 overflow-x-auto scroll-px-4 px-5 py-0.5 max-sm:-mx-4 max-sm:px-4"
    >
      {links.map(([to, name]) => (
        <Link
          key={to}
          to={to}
          params={{ business }}
          activeOptions={{ includeSearch: false }}
          className="shrink-0 rounded-md px-2.5 py-1 text-sm font-medium text-muted hover:bg-hover hover:text-ink max-sm:py-2"
          activeProps={{ className: 'bg-hover text-ink!', 'aria-current': 'page' }}
        >
          {name}
        </Link>
      ))}
    </nav>
  )
}

export const isForOthers = (error: unknown) =>
  error instanceof CrierError && error.code === 'not_found'

export function NotOperator() {
  return <Empty icon="status">{operatorWords.notOperator}</Empty>
}

export function OperatorPage<Answer>({
  title,
  query: { data, error, refetch },
  children,
}: {
  title: string
  query: UseQueryResult<Answer>
  children: (answer: Answer) => ReactNode
}) {
  if (isForOthers(error)) {
    return (
      <Page title={title}>
        <NotOperator />
      </Page>
    )
  }
  return (
    <Page title={title}>
      <Body>
        <OperatorLinks />
        {error && <Failure error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton />}
        {data && children(data)}
      </Body>
    </Page>
  )
}
