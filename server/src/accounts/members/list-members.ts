import { formatId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { Type } from '../../lib/schema/schema.ts'
import { selectMembers } from './user-queries.ts'

export const memberList = operation({
  name: 'member.list',
  title: 'List members',
  summary: 'The people of a business with their roles, newest first.',
  reach: 'business',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/members',
  input: pageInput,
  output: Type.Object({
    members: Type.Array(
      Type.Object({
        user_id: Type.String(),
        email: Type.String(),
        role: Type.String(),
        member_since: Type.String(),
        is_you: Type.Boolean(),
      }),
    ),
    next_cursor: nextCursor,
  }),

  async run({ db, business, principal }, paging) {
    const page = pageOf('user', paging)
    const rows = await selectMembers(db, business.id, page)
    const { shown, next } = pageFrom('user', rows, page, ({ id: _id, ...row }) => row)
    const members = shown.map(({ id, email, role, since }) => ({
      user_id: formatId('user', id),
      email,
      role,
      member_since: since.toISOString(),
      is_you: id === principal.userId,
    }))
    return { members, ...next }
  },
})
