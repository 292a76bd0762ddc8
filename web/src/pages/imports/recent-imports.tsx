import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { Card } from '../../ui/page.tsx'
import { Failure } from '../../ui/states.tsx'
import { importWords } from '../../words/imports.ts'
import { ago } from '../../words/words.ts'
import { ImportState } from './import-state.tsx'

/** Earlier imports, to look at or to undo. */
export function RecentImports() {
  const business_id = useBusinessId()
  const { data, error, refetch } = useQuery({
    queryKey: ['import.list', business_id],
    queryFn: ({ signal }) => api.import.list({ business_id, limit: 20 }, { signal }),
  })
  if (error) return <Failure error={error} onRetry={() => void refetch()} />
  if (!data || data.imports.length === 0) return null
  return (
    <Card title={importWords.recent} flush>
      <ul className="divide-y divide-line">
        {data.imports.map(({ import_id, file_name, state, created_at }) => (
          <li key={import_id} className="flex min-h-10 items-center gap-3 px-4 py-1.5">
            <Link
              to="/$business/contacts/import"
              params={{ business: business_id }}
              search={{ id: import_id }}
              className="min-w-0 flex-1 truncate font-medium hover:underline"
            >
              <bdi>{file_name}</bdi>
            </Link>
            <ImportState state={state} />
            <span className="w-24 text-right text-sm text-muted max-sm:hidden">
              {ago(created_at)}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
