import { queryOptions, useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { api } from './client.ts'

export const businessesQuery = queryOptions({
  queryKey: ['business.list'],
  queryFn: ({ signal }) => api.business.list({}, { signal }),
  staleTime: 30_000,
})

export type Business = Awaited<ReturnType<typeof api.business.list>>['businesses'][number]

/** The id of the business in the URL. */
export function useBusinessId(): string {
  return useParams({ strict: false }).business ?? ''
}

export function useBusiness(): Business | undefined {
  const id = useBusinessId()
  const { data } = useQuery(businessesQuery)
  return data?.businesses.find(({ business_id }) => business_id === id)
}

const roles = ['viewer', 'approver', 'editor', 'admin', 'owner']

/** Whether the person's role in this business is at least this one. */
export function useMay(role: 'editor' | 'admin' | 'owner'): boolean {
  const business = useBusiness()
  return business !== undefined && roles.indexOf(business.role) >= roles.indexOf(role)
}
