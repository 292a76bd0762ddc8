import { useQuery } from '@tanstack/react-query'
import { type LinkProps, Navigate } from '@tanstack/react-router'
import { businessesQuery } from '../api/businesses.ts'
import { buttonClass } from '../ui/button.tsx'
import { Empty, Failure, Skeleton } from '../ui/states.tsx'
import { words } from '../words/words.ts'
import { lastBusiness } from './last-business.ts'

/** Opens the business that was shown last in this browser, else the first. */
export function ToBusiness({ page = '/$business' }: { page?: LinkProps['to'] }) {
  const { data, error, refetch } = useQuery(businessesQuery)
  if (error) {
    return (
      <main className="p-5">
        <h1 className="sr-only">{words.nav.home}</h1>
        <Failure error={error} onRetry={() => void refetch()} />
      </main>
    )
  }
  if (!data) return <Skeleton />
  const last = lastBusiness()
  const ids = data.businesses.map(({ business_id }) => business_id)
  const id = ids.find((text) => text === last) ?? ids[0]
  if (id === undefined) {
    return (
      <main>
        <Empty
          isPage
          icon="people"
          action={
            <div className="flex flex-wrap justify-center gap-2">
              <a href="/account/invitations" className={buttonClass()}>
                {words.invitations}
              </a>
              <a href="/account/closed" className={buttonClass()}>
                {words.closedBusinesses}
              </a>
            </div>
          }
        >
          {words.noBusiness}
        </Empty>
      </main>
    )
  }
  return <Navigate to={page} params={{ business: id }} replace />
}
