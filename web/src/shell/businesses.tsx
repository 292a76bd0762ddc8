/** The businesses to switch between. */
import { Dialog as Base } from '@base-ui/react/dialog'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { businessesQuery, useBusinessId } from '../api/businesses.ts'
import { Icon } from '../ui/icon.tsx'
import { words } from '../words/words.ts'
import { Mark } from './switcher.tsx'

export function Businesses({ open, onClose }: { open: boolean; onClose: () => void }) {
  const current = useBusinessId()
  const { data } = useQuery(businessesQuery)
  return (
    <Base.Root open={open} onOpenChange={(next) => next || onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40" />
        <Base.Popup className="fixed top-12 left-2 z-40 max-h-[70vh] w-72 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-xl border border-line bg-raised p-1.5 shadow-pop">
          <Base.Title className="px-2 py-1 text-xs font-medium text-muted">
            {words.switcher.yours}
          </Base.Title>
          {data?.businesses.map((business) => (
            <Link
              key={business.business_id}
              to="/$business"
              params={{ business: business.business_id }}
              onClick={onClose}
              className="flex h-9 items-center gap-2 rounded-md px-2 hover:bg-hover max-sm:h-11"
            >
              <Mark name={business.name} />
              <bdi className="min-w-0 flex-1 truncate">{business.name}</bdi>
              <span className="text-xs text-muted">{words.role[business.role]}</span>
              {business.business_id === current && <Icon name="check" />}
            </Link>
          ))}
          <Link
            to="/$business/businesses"
            params={{ business: current }}
            onClick={onClose}
            className="mt-1 flex h-9 items-center gap-2 border-t border-line px-2 hover:bg-hover max-sm:h-11"
          >
            {words.switcher.all}
          </Link>
          <Link
            to="/$business/businesses"
            params={{ business: current }}
            search={{ new: true }}
            onClick={onClose}
            className="flex h-9 items-center gap-2 rounded-md px-2 hover:bg-hover max-sm:h-11"
          >
            <Icon name="plus" />
            {words.switcher.add}
          </Link>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
