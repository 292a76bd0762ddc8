import { formatId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { Type } from '../../lib/schema/schema.ts'
import { endMembership } from '../businesses/memberships.ts'
import type { Leaving } from './leaving.ts'

export function memberLeave(leaving: Leaving) {
  return operation({
    name: 'member.leave',
    title: 'Leave a business',
    summary:
      'Ends one’s own membership at once, and the API keys one made. The last owner of a business stays.',
    reach: 'business',
    scope: 'meta:read',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
    rest: 'POST /v1/members/leave',
    input: {},
    output: Type.Object({ left: Type.Boolean() }),

    async run({ business, principal, now, write, origin }) {
      return write(async (tx) => {
        const left = await endMembership(tx, business.id, { userId: principal.userId, now })
        await leaving.left(tx, { businessId: business.id, userId: principal.userId, now })
        const subject = formatId('user', principal.userId)
        const entry = { businessId: business.id, action: 'member.leave', subject, origin }
        await recordAudit(tx, [entry], now)
        return { left }
      })
    },
  })
}
