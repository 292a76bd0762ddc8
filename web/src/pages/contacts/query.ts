/** The contacts that the page shows. The router asks for them while the page is still being loaded. */
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import { api } from '../../api/client.ts'
import { type ContactsSearch, joinedFilter } from './search.ts'

/** The first page fills a tall window, so that it arrives soon on a slow connection. */
const firstPage = 40
const pageSize = 100

export const contactsQuery = (
  business_id: string,
  { q, state, filter, segment }: ContactsSearch,
) => {
  const joined = joinedFilter({ state, filter })
  return infiniteQueryOptions({
    queryKey: ['contact.list', business_id, { q, state, filter, segment }],
    queryFn: ({ signal, pageParam }) =>
      api.contact.list(
        {
          business_id,
          limit: pageParam === '' ? firstPage : pageSize,
          ...(q !== undefined && { q }),
          ...(joined && { filter: joined }),
          ...(segment !== undefined && { segment_id: segment }),
          ...(pageParam !== '' && { cursor: pageParam }),
        },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: keepPreviousData,
  })
}
