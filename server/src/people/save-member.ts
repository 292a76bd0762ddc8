import { addMember } from '../businesses/members.ts'
import { recordAudit } from '../events/audit.ts'
import { normaliseEmail } from '../platform/email-address.ts'
import { isRefusal } from '../platform/errors.ts'
import { formatId } from '../platform/ids.ts'
import { operation, roles } from '../platform/operation.ts'
import { Type } from '../platform/schema.ts'
import { ensureUser } from './sign-up.ts'

export const memberSave = operation({
  name: 'member.save',
  title: 'Add a member, or change a role',
  summary: 'Lets a person into the business, or gives a member another role. He signs in by mail.',
  reach: 'business',
  scope: 'meta:read',
  role: 'owner',
  tier: 'free',
  doors: ['app'],
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'PUT /v1/members',
  input: {
    email: Type.String({ maxLength: 254 }),
    role: Type.Enum(roles),
  },
  output: Type.Object({ user_id: Type.String(), email: Type.String(), role: Type.String() }),

  async run({ business, now, write, origin }, input) {
    const email = normaliseEmail(input.email)
    if (isRefusal(email)) return email
    return write(async (tx) => {
      const { user } = await ensureUser(tx, email, now)
      const member = { userId: user.id, role: input.role, now }
      const role = await addMember(tx, business.id, member)
      if (isRefusal(role)) return role
      const subject = formatId('user', user.id)
      const entry = { businessId: business.id, action: 'member.save', subject }
      await recordAudit(tx, [{ ...entry, details: { role }, origin }], now)
      return { user_id: subject, email: user.email, role }
    })
  },
})
