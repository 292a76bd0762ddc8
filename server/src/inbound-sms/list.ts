import { formatId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../core/paging.ts'
import { untrusted } from '../core/untrusted.ts'
import { Type } from '../lib/schema/schema.ts'
import { meanings } from './intent.ts'
import { listReplies, type Reply, reviews } from './reply.ts'

/** A reply as callers see it. */
const replyFields = {
  reply_id: Type.String(),
  from: Type.String(),
  to: Type.String(),
  contact_id: Type.Union([Type.String(), Type.Null()]),
  meaning: Type.Enum(meanings),
  review: Type.Union([Type.Enum(reviews), Type.Null()]),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  untrusted: untrusted({ text: Type.String() }),
}

export const replyList = operation({
  name: 'reply.list',
  title: 'List replies',
  area: 'messages',
  everyday: true,
  summary: 'Texts from people, newest first; open: possible opt-outs that wait for reply.decide.',
  reach: 'business',
  scope: 'audience:read',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/replies',
  input: { open: Type.Optional(Type.Boolean()), ...pageInput },
  output: Type.Object({
    replies: Type.Array(Type.Object(replyFields)),
    next_cursor: nextCursor,
  }),

  async run({ db, business }, { open = false, ...paging }) {
    const page = pageOf('reply', paging)
    const rows = await listReplies(db, business.id, { open, ...page })
    const { shown: replies, next } = pageFrom('reply', rows, page, fieldsOf)
    return { replies: replies.map(fieldsOf), ...next }
  },
})

function fieldsOf(reply: Reply) {
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
