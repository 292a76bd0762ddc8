/** The lines of topics, of segments, of sequences, and of the confirmations that guarded forms hold. */
import { newId } from 'crier-server/core/ids.ts'
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
  'feed.save': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ feed_id, word }) => ({ feed_id, content: { subject: `${word} {{ item.title }}` } }),
  },
  'feed.list': { scope: 'audience:read', role: 'viewer', sample: () => ({ limit: 1 }) },
  'feed.get': { scope: 'audience:read', role: 'viewer', sample: ({ feed_id }) => ({ feed_id }) },
  'feed.preview': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ feed_id }) => ({ feed_id }),
  },
  'feed.start': {
    scope: 'messaging:send',
    role: 'admin',
    sample: ({ new_feed_id }) => ({ feed_id: new_feed_id }),
  },
  'feed.pause': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ running_feed_id }) => ({ feed_id: running_feed_id }),
  },
  'feed.resume': {
    scope: 'messaging:send',
    role: 'admin',
    sample: ({ running_feed_id }) => ({ feed_id: running_feed_id }),
  },
  'feed.delete': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ doomed_feed_id }) => ({ feed_id: doomed_feed_id }),
  },
  'sequence.save': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ sequence_id, word }) => ({
      sequence_id,
      enter: { on: 'tag.added', tag: word },
    }),
  },
  'sequence.gallery': {
    scope: 'audience:read',
    role: 'viewer',
    sample: () => ({ key: 'welcome' }),
  },
  'sequence.list': { scope: 'audience:read', role: 'viewer', sample: () => ({ limit: 1 }) },
  'sequence.get': {
    scope: 'audience:read',
    role: 'viewer',
    sample: ({ sequence_id }) => ({ sequence_id }),
  },
  'sequence.preview': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ sequence_id }) => ({ sequence_id }),
  },
  'sequence.start': {
    scope: 'messaging:send',
    role: 'admin',
    sample: ({ new_sequence_id }) => ({ sequence_id: new_sequence_id }),
  },
  'sequence.pause': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ running_sequence_id }) => ({ sequence_id: running_sequence_id }),
  },
  'sequence.resume': {
    scope: 'messaging:send',
    role: 'admin',
    sample: ({ running_sequence_id }) => ({ sequence_id: running_sequence_id }),
  },
  'sequence.stop': {
    scope: 'messaging:send',
    role: 'admin',
    sample: ({ stopping_sequence_id }) => ({ sequence_id: stopping_sequence_id }),
  },
  'sequence.enrol': {
    scope: 'messaging:send',
    role: 'admin',
    sample: ({ running_sequence_id, contact_id }) => ({
      sequence_id: running_sequence_id,
      contact_id,
    }),
  },
  'sequence.remove': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ running_sequence_id, contact_id }) => ({
      sequence_id: running_sequence_id,
      contact_id,
    }),
  },
  'sequence.why': {
    scope: 'audience:read',
    role: 'viewer',
    sample: ({ running_sequence_id, contact_id }) => ({
      sequence_id: running_sequence_id,
      contact_id,
    }),
  },
  'sequence.copy': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ sequence_id }) => ({ sequence_id, name: `copy ${newId('sequence')}` }),
  },
  'sequence.delete': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ doomed_sequence_id }) => ({ sequence_id: doomed_sequence_id }),
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
