/** What the service makes of blocks, asked anew when nothing was typed for a moment. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { useSettled } from '../use-settled.ts'
import type { Block } from './model.ts'

export interface BlockMail {
  subject: string
  preheader: string
  blocks: readonly Block[]
}

/** Milliseconds without a change after which the service is asked. */
const restMs = 400

export function useBlockPreview({ subject, preheader, blocks }: BlockMail) {
  const business_id = useBusinessId()
  // A draft may have no subject yet, which is no fault of its blocks.
  const mail = { subject: subject.trim() || '–', preheader, blocks }
  const settled = useSettled(JSON.stringify(mail), restMs)
  const { data, error } = useQuery({
    queryKey: ['blocks.preview', business_id, settled],
    // A dry run saves nothing.
    queryFn: ({ signal }) =>
      api.template.save(
        {
          business_id,
          name: 'Preview',
          dry_run: true,
          ...(JSON.parse(settled) as BlockMail),
        } as Parameters<typeof api.template.save>[0],
        { signal },
      ),
    enabled: blocks.length > 0,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  // The last state that was right stays in view while another is made or is wrong.
  const [made, setMade] = useState(data)
  if (data && data !== made) setMade(data)
  return { made: data ?? made, error }
}
