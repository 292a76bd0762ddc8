/** What the service makes of content, asked anew when nothing was typed for a moment. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useBusinessId } from '../../api/businesses.ts'
import { api } from '../../api/client.ts'
import { blocksFor, type Group } from '../blocks/groups.ts'
import { useSettled } from '../use-settled.ts'
import type { Channel, Content } from './content.ts'

/** With whose data content is filled in. */
export interface Filling {
  data: 'sample' | 'longest' | 'empty' | 'contact'
  contact_id?: string
  /** Who sees the mail, where it has blocks for some. Absent: all blocks are shown. */
  group?: Group
  /** Values for the names that are neither of the contact nor of the business. */
  variables: Record<string, string>
}

export const ordinary: Filling = { data: 'sample', variables: {} }

/** Milliseconds without a change after which the service is asked. */
const restMs = 400

type PreviewInput = Parameters<typeof api.template.preview>[0]

interface PreviewWish {
  filling: Filling
  /** The tag of the language in which it is written, if it is not the business's. */
  language?: string | undefined
}

export function usePreview(channel: Channel, content: Content, { filling, language }: PreviewWish) {
  const business_id = useBusinessId()
  // A draft may have no subject yet, which is no fault of what follows it.
  const subject = content.subject?.trim() ? content.subject : '–'
  const { data: kind, contact_id, variables, group } = filling
  const { blocks } = content
  const input = {
    channel,
    ...content,
    ...(group && blocks && kind !== 'contact' && { blocks: blocksFor(group, blocks) }),
    ...(channel === 'email' && { subject }),
    ...(language !== undefined && { language }),
    ...(Object.keys(variables).length > 0 && { variables: variablesOf(variables) }),
    ...(kind === 'contact' ? contact_id !== undefined && { contact_id } : { data: kind }),
  }
  const settled = useSettled(JSON.stringify(input), restMs)
  // Not what is typed at this moment, which may say something already.
  const asked = JSON.parse(settled) as Content
  const { data, error } = useQuery({
    queryKey: ['content.preview', business_id, settled],
    queryFn: ({ signal }) =>
      api.template.preview({ business_id, ...(asked as PreviewInput) }, { signal }),
    enabled: !saysNothing(asked),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  })
  // The last state that was right stays in view while another is made or is wrong.
  const [made, setMade] = useState(data)
  if (data && data !== made) setMade(data)
  return { made: data ?? made, error, isEmpty: saysNothing(content) }
}

const saysNothing = ({ blocks, html, mjml, text }: Content) =>
  (blocks ?? []).length === 0 && (html ?? mjml ?? text ?? '').trim() === ''

/** `order.total` becomes `{ order: { total } }`. */
export function variablesOf(variables: Record<string, string>): Record<string, unknown> {
  const all: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(variables)) {
    const keys = name.split('.').filter((key) => key !== '__proto__')
    const last = keys.pop()
    let within = all
    for (const key of keys) {
      const inner = within[key]
      const next = typeof inner === 'object' && inner !== null ? inner : {}
      within[key] = next
      within = next as Record<string, unknown>
    }
    if (last !== undefined) within[last] = value
  }
  return all
}
