import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/client.ts'

/** A business's usage of this month, which the rows and the choice of months share. */
export const usageNow = (business_id: string) =>
  queryOptions({
    queryKey: ['meta.usage', business_id],
    queryFn: ({ signal }) => api.meta.usage({ business_id }, { signal }),
  })
