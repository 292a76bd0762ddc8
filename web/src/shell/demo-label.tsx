/** Marks demo data as such. */
import { useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../api/businesses.ts'
import { api } from '../api/client.ts'
import { Icon } from '../ui/icon.tsx'
import { words } from '../words/words.ts'

export function DemoLabel({ className = '' }: { className?: string }) {
  const business_id = useBusinessId()
  const { data } = useQuery({
    queryKey: ['business.get', business_id],
    queryFn: ({ signal }) => api.business.get({ business_id }, { signal }),
    staleTime: 60_000,
    enabled: business_id !== '',
  })
  if (!data?.demo) return null
  return (
    <aside
      aria-label={words.demo.label}
      title={words.demo.about}
      className={`flex items-center gap-2 rounded-md bg-warn-ground px-2 py-1 text-sm font-medium text-warn ${className}`}
    >
      <Icon name="warn" className="size-3.5 shrink-0" />
      {words.demo.label}
    </aside>
  )
}
