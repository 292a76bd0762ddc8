/** A reply as callers see it. */

import { formatId } from '../core/ids.ts'
import { untrusted } from '../core/untrusted.ts'
import { Type } from '../lib/schema/schema.ts'
import { meanings } from './intent.ts'
import { type Reply, reviews } from './reply.ts'

export const replyFields = {
  reply_id: Type.String(),
  from: Type.String(),
  to: Type.String(),
  contact_id: Type.Union([Type.String(), Type.Null()]),
  meaning: Type.Enum(meanings),
  review: Type.Union([Type.Enum(reviews), Type.Null()]),
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
