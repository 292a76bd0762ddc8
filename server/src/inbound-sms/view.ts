/** A reply as callers see it. */

import { formatId } from '../core/ids.ts'
import { untrusted } from '../core/untrusted.ts'
import { Type } from '../lib/schema/schema.ts'
import { meanings } from './intent.ts'
import { type Reply, reviews } from './reply.ts'

export const replyFields = {
  reply_id: Type.String(),
  from: Type.String({ description: 'The number it came from.' }),
  to: Type.String({ description: 'Our number.' }),
  contact_id: Type.Union([Type.String(), Type.Null()]),
  meaning: Type.Enum(meanings, {
    description: 'stop, start and help were handled and answered; opt_out is a guess.',
  }),
  review: Type.Union([Type.Enum(reviews), Type.Null()], {
    description: 'open: reply.decide waits; null: nothing to decide.',
  }),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  untrusted: untrusted({ text: Type.String() }),
}

export function fieldsOf(reply: Reply) {
  return {
    reply_id: formatId('reply', reply.id),
    from: reply.phone,
    to: reply.sender,
    contact_id: reply.contactId && formatId('contact', reply.contactId),
    meaning: reply.meaning,
    review: reply.review,
    created_at: reply.createdAt.toISOString(),
    untrusted: { text: reply.body },
  }
}
