/** An owner lets a member's apps and API keys go on, which the company's sign-in had held. */
import { refuse } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { roleOf } from '../businesses/memberships.ts'
import { releaseMember } from './holds.ts'

export const memberRelease = operation({
  name: 'member.release',
  title: 'Let a held member go on',
  summary:
    'Lets a member go on, with their connected apps and API keys, whom the sign-in of the company no longer confirms. Ask them or the company first.',
  reach: 'business',
  scope: 'meta:read',
  role: 'owner',
  tier: 'free',
  appOnly: true,
  freshSignIn: 'A held member goes on',
  freshFactor: 'members',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  rest: 'POST /v1/members/:user_id/release',
  input: { user_id: Type.String({ maxLength: 40, description: 'usr_…' }) },
  output: Type.Object({ released: Type.Boolean() }),

  async run({ db, business, principal, now, write, origin }, { user_id }) {
    const userId = parseId('user', user_id)
    if (!userId || (await roleOf(db, business.id, userId)) === undefined) {
      const text = `The business has no member ${user_id}.`
      throw refuse('not_found', text, { field: 'user_id' })
    }
    if (userId === principal.userId) throw ownHold()
    return write(async (tx) => ({
      released: await releaseMember(tx, business.id, { userId, now, origin }),
    }))
  },
})

const ownHold = () =>
  refuse('conflict', 'Sign in at your company again, or ask another owner.', {
    field: 'user_id',
    data: { reason: 'own_hold' },
  })
