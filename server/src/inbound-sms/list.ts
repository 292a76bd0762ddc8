import { isRefusal } from '../core/errors.ts'
import { operation } from '../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../core/paging.ts'
import { Type } from '../lib/schema/schema.ts'
import { listReplies } from './queries.ts'
import { fieldsOf, replyFields } from './view.ts'

export const replyList = operation({
  name: 'reply.list',
  title: 'List replies',
  summary:
    'Texts from people, newest first; open: those that may want no more texts and wait for reply.decide.',
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

  async run({ db, business }, { open = false, ...asked }) {
    const page = pageOf('reply', asked)
    if (isRefusal(page)) return page
    const rows = await listReplies(db, business.id, { open, ...page })
    const { shown, next } = pageFrom('reply', rows, page, fieldsOf)
    return { replies: shown.map(fieldsOf), ...next }
  },
})
