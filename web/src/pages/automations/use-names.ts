import { useQueries } from '@tanstack/react-query'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import type { Names } from './model.ts'

/** The names of the mails, forms, segments and topics that rules and steps name by their id. */
export function useNames(): Names {
  const business_id = useBusinessId()
  const staleTime = 30_000
  const [templates, forms, segments, topics] = useQueries({
    queries: [
      {
        queryKey: ['template.list', business_id, 'names'],
        queryFn: () => api.template.list({ business_id, limit: 200 }),
        staleTime,
      },
      {
        queryKey: ['form.list', business_id, 'names'],
        queryFn: () => api.form.list({ business_id, limit: 200 }),
        staleTime,
      },
      {
        queryKey: ['segment.list', business_id, 'names'],
        queryFn: () => api.segment.list({ business_id, limit: 200 }),
        staleTime,
      },
      {
        queryKey: ['topic.list', business_id, 'names'],
        queryFn: () => api.topic.list({ business_id }),
        staleTime,
      },
    ],
  })
  return {
    templates: new Map(
      templates.data?.templates.map(({ template_id, name }) => [template_id, name]),
    ),
    texts: new Set(
      templates.data?.templates.flatMap(({ template_id, channel }) =>
        channel === 'sms' ? [template_id] : [],
      ),
    ),
    forms: new Map(forms.data?.forms.map(({ form_id, name }) => [form_id, name])),
    segments: new Map(segments.data?.segments.map(({ segment_id, name }) => [segment_id, name])),
    topics: new Map(topics.data?.topics.map(({ topic, name }) => [topic, name])),
  }
}
