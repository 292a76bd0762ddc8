/** The lines of topics, of segments, and of the confirmations that guarded forms hold. */
import type { Belongings } from './belongings.ts'
import type { Line } from './line.ts'

export const audienceLines: Record<string, Line> = {
  'topic.save': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ word }) => ({ topic: 'news', name: word }),
  },
  'topic.list': { scope: 'audience:read', role: 'viewer', sample: () => ({}) },
  'segment.save': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ segment_id, word }) => ({ segment_id, filter: { tag: word } }),
  },
  'segment.list': { scope: 'audience:read', role: 'viewer', sample: () => ({ limit: 1 }) },
  'segment.get': {
    scope: 'audience:read',
    role: 'viewer',
    sample: ({ segment_id }) => ({ segment_id }),
  },
  'segment.explain': {
    scope: 'audience:read',
    role: 'viewer',
    sample: ({ segment_id }) => ({ segment_id }),
  },
  'segment.delete': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ doomed_segment_id }) => ({ segment_id: doomed_segment_id }),
  },
  'form.held': {
    scope: 'audience:read',
    role: 'viewer',
    sample: ({ form_id }) => ({ form_id, limit: 1 }),
  },
  'form.release': { scope: 'forms:write', role: 'editor', sample: heldChoice },
  'form.discard': { scope: 'forms:write', role: 'editor', sample: heldChoice },
}

/** Chooses all that the form holds; the calls of `another` name one confirmation. */
function heldChoice({ form_id, confirmation_id, word }: Belongings) {
  return word === 'another' ? { form_id, confirmation_ids: [confirmation_id] } : { form_id }
}
