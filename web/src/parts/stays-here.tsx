/** Says that messages reach nobody, where no mail server or SMS provider is set up. */
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useBusinessId } from '../api/businesses.ts'
import { api } from '../api/client.ts'
import { useIsOperator } from '../api/operator.ts'
import { Icon } from '../ui/icon.tsx'
import { words } from '../words/words.ts'

export function StaysHere({
  channel,
  className = '',
}: {
  channel: 'email' | 'sms'
  className?: string
}) {
  const business = useBusinessId()
  const isOperator = useIsOperator()
  const { data } = useQuery({
    queryKey: ['meta.capabilities'],
    queryFn: ({ signal }) => api.meta.capabilities({}, { signal }),
    staleTime: 600_000,
  })
  if (data?.channels[channel].leaves_this_machine !== false) return null
  const { stays, setUp, ask } = words.staysHere[channel]
  return (
    <p
      className={`flex flex-wrap items-baseline gap-x-2 gap-y-0.5 rounded-md bg-warn-ground px-3 py-2 ${className}`}
    >
      <Icon name="warn" className="size-3.5 shrink-0 self-center text-warn" />
      <span className="min-w-0 flex-1 basis-64">{stays}</span>
      {/* Only the operator can change the settings of the installation. */}
      {isOperator ? (
        <Link
          to="/$business/operator/mail"
          params={{ business }}
          className="text-link hover:underline"
        >
          {setUp}
        </Link>
      ) : (
        <span className="text-muted">{ask}</span>
      )}
    </p>
  )
}
