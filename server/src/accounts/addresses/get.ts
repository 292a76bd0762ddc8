/** A person sees the address by which they sign in, and its change that waits for the mailboxes. */
import { operation } from '../../core/operation.ts'
import { sql } from '../../lib/db/db.ts'
import { Type } from '../../lib/schema/schema.ts'
import { readEmail } from '../members/user-queries.ts'

export const addressGet = operation({
  name: 'address.get',
  title: 'See one’s address',
  summary:
    'The address by which the person signs in, and a change of it that one of the two mailboxes has not confirmed yet.',
  reach: 'person',
  scope: 'meta:read',
  role: 'viewer',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/address',
  input: {},
  output: Type.Object({
    email: Type.String(),
    change: Type.Union([
      Type.Object({
        email: Type.String(),
        expires_at: Type.String(),
        old_confirmed: Type.Boolean(),
        new_confirmed: Type.Boolean(),
      }),
      Type.Null(),
    ]),
  }),

  async run({ db, principal: { userId }, now }) {
    const change = await db.maybe<{
      email: string
      expiresAt: Date
      oldConfirmed: boolean
      newConfirmed: boolean
    }>(sql`
      select new_email as email, expires_at as "expiresAt",
        old_confirmed_at is not null as "oldConfirmed",
        new_confirmed_at is not null as "newConfirmed"
      from address_changes
      where user_id = ${userId} and done_at is null and undone_at is null and expires_at > ${now}
      order by asked_at desc
      limit 1
    `)
    return {
      email: (await readEmail(db, userId)) ?? '',
      change: change
        ? {
            email: change.email,
            expires_at: change.expiresAt.toISOString(),
            old_confirmed: change.oldConfirmed,
            new_confirmed: change.newConfirmed,
          }
        : null,
    }
  },
})
