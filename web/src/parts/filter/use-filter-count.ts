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
    retry: false,
  })
}

/** What conditions can be about: fields, tags and own events, with how many people have each. */
export function useCatalogue() {
  const business_id = useBusinessId()
  const { data } = useQuery({
    queryKey: ['contact.fields', business_id],
    queryFn: ({ signal }) => api.contact.fields({ business_id }, { signal }),
    staleTime: 60_000,
  })
  return data
}

/** All contacts, for the people whom a condition leaves out. */
export function useTotal(): number | undefined {
  const business_id = useBusinessId()
  const { data } = useQuery({
    queryKey: ['meta.usage', business_id],
    queryFn: ({ signal }) => api.meta.usage({ business_id }, { signal }),
    staleTime: 30_000,
    select: ({ counters }) => counters.find(({ metric }) => metric === 'contacts')?.used,
  })
  return data
}

type Named = readonly (readonly [id: string, name: string])[]

/** What a condition names by an id, as people know it. */
export function useNames(of: 'campaign' | 'form' | 'topic' | 'segment' | undefined): Named {
  const business_id = useBusinessId()
  const limit = 100
  const { data } = useQuery({
    queryKey: ['filter.names', business_id, of],
    enabled: of !== undefined,
    staleTime: 30_000,
    async queryFn({ signal }): Promise<Named> {
      switch (of) {
        case 'campaign': {
          const { campaigns } = await api.campaign.list({ business_id, limit }, { signal })
          return campaigns.map(({ campaign_id, name }) => [campaign_id, name])
        }
        case 'form': {
          const { forms } = await api.form.list({ business_id, limit }, { signal })
          return forms.map(({ form_id, name }) => [form_id, name])
        }
        case 'topic': {
          const { topics } = await api.topic.list({ business_id }, { signal })
          return topics.map(({ topic, name }) => [topic, name])
        }
        default: {
          const { segments } = await api.segment.list({ business_id, limit }, { signal })
          return segments.map(({ segment_id, name }) => [segment_id, name])
        }
      }
    },
  })
  return data ?? []
}
