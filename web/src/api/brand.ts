/** The brand of the business, which mails are shown in. */
import { useQuery } from '@tanstack/react-query'
import { useBusinessId } from './businesses.ts'
import { api } from './client.ts'

export function useBrand() {
  const business_id = useBusinessId()
  const { data } = useQuery({
    queryKey: ['brand.get', business_id],
    queryFn: ({ signal }) => api.brand.get({ business_id }, { signal }),
  })
  return data
}

/** The language in which the business speaks to people of whom none is known. */
export function useLanguage(): string {
  const business_id = useBusinessId()
  const { data } = useQuery({
    queryKey: ['business.get', business_id],
    queryFn: ({ signal }) => api.business.get({ business_id }, { signal }),
  })
  return data?.language ?? 'en'
}
