import { formatId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { selectInvitations } from './invitation-queries.ts'

/**
 * More invitations than a business can have pending: few are allowed per day, and each expires
 * after seven.
 */
const maxListed = 500

export const invitationList = operation({
  name: 'invitation.list',
  title: 'List invitations',
  summary: 'Who was invited to the business and has not answered yet, newest first.',
  reach: 'business',
  scope: 'meta:read',
  role: 'owner',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/invitations',
  input: {},
  output: Type.Object({
    invitations: Type.Array(
      Type.Object({
        invitation_id: Type.String(),
        email: Type.String(),
        role: Type.String(),
        created_at: Type.String(),
        expires_at: Type.String(),
      }),
    ),
  }),

  async run({ db, business, now }) {
    const rows = await selectInvitations(db, business.id, { now, limit: maxListed })
    const invitations = rows.map(({ id, email, role, createdAt, expiresAt }) => ({
      invitation_id: formatId('invitation', id),
      email,
      role,
      created_at: createdAt.toISOString(),
      expires_at: expiresAt.toISOString(),
    }))
    return { invitations }
  },
})
