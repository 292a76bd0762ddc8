import { orThrow } from '../../core/errors.ts'
import { formatId } from '../../core/ids.ts'
import { operation, roles } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { normaliseEmail } from '../../lib/email/email-address.ts'
import { Type } from '../../lib/schema/schema.ts'
import { addMember, roleOf } from '../businesses/memberships.ts'
import { endInvitationOf, type InvitationMailer, invite } from './invitations.ts'
import { findUserByEmail } from './user.ts'

/** Nobody becomes a member without agreeing: somebody who is not a member yet is invited. */
export function memberSave(mailer: InvitationMailer) {
  return operation({
    name: 'member.save',
    title: 'Invite somebody, or change a role',
    summary:
      'Gives a member another role. Anybody else gets an invitation by mail, and is a member once they accept it.',
    reach: 'business',
    scope: 'meta:read',
    role: 'owner',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'A member is invited or given a role',
    freshFactor: 'members',
    hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
    rest: 'PUT /v1/members',
    input: {
      email: Type.String({ maxLength: 254 }),
      role: Type.Enum(roles),
    },
    output: Type.Object({
      status: Type.Enum(['member', 'invited']),
      email: Type.String(),
      role: Type.String(),
      user_id: Type.Optional(Type.String()),
      invitation_id: Type.Optional(Type.String()),
      expires_at: Type.Optional(Type.String()),
    }),

    async run({ business, now, principal, hmac, write, origin }, input) {
      const email = orThrow(normaliseEmail(input.email))
      const { role } = input
      return write(async (tx) => {
        const user = await findUserByEmail(tx, email)
        const isMember = user && (await roleOf(tx, business.id, user.id)) !== undefined
        const entry = { businessId: business.id, origin, details: { role } }
        if (user && isMember) {
          const saved = await addMember(tx, business.id, { userId: user.id, role, now })
          await endInvitationOf(tx, business.id, email)
          const subject = formatId('user', user.id)
          await recordAudit(tx, [{ ...entry, action: 'member.save', subject }], now)
          return { status: 'member' as const, email, role: saved, user_id: subject }
        }
        const request = { businessId: business.id, email, role, hmac, now }
        const invited = await invite(tx, mailer, { ...request, invitedBy: principal.userId })
        const subject = formatId('invitation', invited.id)
        await recordAudit(tx, [{ ...entry, action: 'member.invite', subject }], now)
        const expires_at = invited.expiresAt.toISOString()
        return { status: 'invited' as const, email, role, invitation_id: subject, expires_at }
      })
    },
  })
}
