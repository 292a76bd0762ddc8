import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useSettled } from '../use-settled.ts'
import type { Filter } from './model.ts'

/** The matches of a filter and of each condition alone; requested once typing has stopped. */
export function useFilterCount(filter: Filter | undefined) {
  const business_id = useBusinessId()
  const settled = useSettled(JSON.stringify(filter), 300)
  return useQuery({
    queryKey: ['segment.explain', business_id, settled],
    queryFn: ({ signal }) =>
      api.segment.explain({ business_id, filter: JSON.parse(settled ?? '') as Filter }, { signal }),
    enabled: settled !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
}
