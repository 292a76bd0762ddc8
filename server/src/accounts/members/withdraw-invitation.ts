import { refuse } from '../../core/errors.ts'
import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { Type } from '../../lib/schema/schema.ts'
import { deleteInvitation } from './invitation-queries.ts'

export const invitationWithdraw = operation({
  name: 'invitation.withdraw',
  title: 'Withdraw an invitation',
  summary: 'Ends an invitation that was not answered yet: it can be accepted no more.',
  reach: 'business',
  scope: 'meta:read',
  role: 'owner',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'DELETE /v1/invitations/:invitation_id',
  input: { invitation_id: Type.String({ description: 'inv_…' }) },
  output: Type.Object({}),

  async run({ business, now, write, origin }, { invitation_id }) {
    const id = parseId('invitation', invitation_id)
    return write(async (tx) => {
      const ended = id === undefined ? 0 : await deleteInvitation(tx, business.id, id)
      if (ended === 0) {
        const text = `The business has no pending invitation ${invitation_id}.`
        throw refuse('not_found', text, { field: 'invitation_id' })
      }
      const entry = { businessId: business.id, action: 'invitation.withdraw', origin }
      await recordAudit(tx, [{ ...entry, subject: invitation_id }], now)
      return {}
    })
  },
})
