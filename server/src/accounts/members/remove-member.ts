import { refuse } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { Type } from '../../lib/schema/schema.ts'
import { removeMember } from '../businesses/memberships.ts'
import type { Leaving } from './leaving.ts'

export function memberRemove(leaving: Leaving) {
  return operation({
    name: 'member.remove',
    title: 'Remove a member',
    summary:
      'Ends a membership at once: the person’s connections reach this business no more, their API keys end, and webhooks that rest on either pause.',
    reach: 'business',
    scope: 'meta:read',
    role: 'owner',
    tier: 'free',
    appOnly: true,
    freshSignIn: 'A member is removed',
    freshFactor: 'members',
    hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
    rest: 'DELETE /v1/members/:user_id',
    input: { user_id: Type.String({ description: 'usr_…' }) },
    output: Type.Object({}),

    async run({ business, now, write, origin }, { user_id }) {
      const userId = parseId('user', user_id)
      if (userId === undefined) throw noSuchMember(user_id)
      return write(async (tx) => {
        const removed = await removeMember(tx, business.id, { userId, now })
        if (!removed) throw noSuchMember(user_id)
        await leaving.left(tx, { businessId: business.id, userId, now })
        const entry = { businessId: business.id, action: 'member.remove', subject: user_id, origin }
        await recordAudit(tx, [entry], now)
        return {}
      })
    },
  })
}

const noSuchMember = (id: string) =>
  refuse('not_found', `The business has no member ${id}.`, { field: 'user_id' })
