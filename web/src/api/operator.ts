import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'

/** Whether the person runs the installation; false until that is known. */
export function useIsOperator(): boolean {
  const { data } = useQuery({
    queryKey: ['status.get', 'brief'],
    queryFn: ({ signal }) => api.status.get({ brief: true }, { signal }),
    staleTime: 600_000,
  })
  return data?.is_operator ?? false
}
