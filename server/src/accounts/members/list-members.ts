import { countsFrom } from '../../core/fresh-factor.ts'
import { formatId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { Type } from '../../lib/schema/schema.ts'
import { selectMembers } from './user-queries.ts'

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

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
        last_signed_in_at: orNull('For owners.'),
        last_signed_in_by: orNull('mail, passkey, code (mail and code), recovery_code or company.'),
        has_second_factor: Type.Union([Type.Boolean(), Type.Null()], {
          description: 'For owners.',
        }),
        factor_reset_at: orNull('When an owner’s reset of their second factor is done.'),
        factor_counts_from: orNull('For owners: from when a new second factor counts.'),
        held_at: orNull('For owners: since when apps and API keys are held.'),
      }),
    ),
    next_cursor: nextCursor,
  }),

  async run({ db, business, principal, now }, paging) {
    const page = pageOf('user', paging)
    const rows = await selectMembers(db, business.id, page)
    const { shown, next } = pageFrom('user', rows, page, ({ id: _id, ...row }) => row)
    const isOwner = business.role === 'owner'
    const members = shown.map(({ id, email, role, since, ...person }) => ({
      user_id: formatId('user', id),
      email,
      role,
      member_since: since.toISOString(),
      is_you: id === principal.userId,
      last_signed_in_at: (isOwner && person.lastSignedInAt?.toISOString()) || null,
      last_signed_in_by: isOwner ? person.lastSignedInBy : null,
      has_second_factor: isOwner ? person.hasFactor : null,
      factor_reset_at: (isOwner && person.resetAt?.toISOString()) || null,
      factor_counts_from: isOwner ? countsFrom(person.factorWaitsUntil, now) : null,
      held_at: (isOwner && person.heldAt?.toISOString()) || null,
    }))
    return { members, ...next }
  },
})
