/**
 * Closes a business: in the app by an owner, or by the operator. Everything it sends stops at once,
 * its connections and keys end, and its owners are told by mail until when they can take it back.
 */
import { type Closing, markClosed } from '../accounts/businesses/closing.ts'
import { pauseWork } from '../assistants/stopped-work.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { type Origin, operation } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import type { Tx } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import { queueClosingMails } from './mail.ts'

export const businessClose = operation({
  name: 'business.close',
  title: 'Close a business',
  summary:
    'Stops all sending of the business, ends its connections and API keys, and deletes it after 30 days, in which an owner can take it back. keep_suppressions keeps the hashes of addresses that must not be written to.',
  reach: 'business',
  scope: 'provisioning:write',
  role: 'owner',
  tier: 'free',
  appOnly: true,
  freshSignIn: 'A business is closed',
  freshFactor: 'closing',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  rest: 'POST /v1/businesses/close',
  input: {
    name: Type.String({ description: 'The name of the business, which confirms the closing.' }),
    keep_suppressions: Type.Optional(Type.Boolean()),
  },
  output: Type.Object({
    closed_at: Type.String(),
    delete_at: Type.String({ description: 'Until then an owner can take it back.' }),
    campaigns: Type.Integer({ description: 'Campaigns that were paused.' }),
    automations: Type.Integer({ description: 'Automations that were paused.' }),
  }),

  run({ business, principal, origin, now, write }, { name, keep_suppressions = false }) {
    if (name.trim() !== business.name) throw anotherName(business.name)
    return write(async (tx) => {
      const { closing, ...paused } = await closeBusiness(tx, {
        businessId: business.id,
        closedBy: principal.userId,
        keepsSuppressions: keep_suppressions,
        origin,
        now,
      })
      const { closedAt, deleteAt } = closing
      return { closed_at: closedAt.toISOString(), delete_at: deleteAt.toISOString(), ...paused }
    })
  },
})

function anotherName(name: string) {
  const text = `Type the name of the business, ${name}, to close it.`
  return refuse('invalid_request', text, { field: 'name', data: { reason: 'other_name' } })
}

interface Close {
  businessId: Id<'business'>
  /** Null for the operator. */
  closedBy: Id<'user'> | null
  keepsSuppressions: boolean
  origin?: Origin | undefined
  now: Date
}

export async function closeBusiness(
  tx: Tx,
  { businessId, closedBy, keepsSuppressions, origin, now }: Close,
): Promise<{ closing: Closing; campaigns: number; automations: number }> {
  const subject = formatId('business', businessId)
  const paused = await pauseWork(tx, { businessId, origin, now })
  const details = { keep_suppressions: keepsSuppressions, ...paused }
  const entry = { businessId, action: 'business.close', subject, details }
  await recordAudit(tx, [{ ...entry, origin }], now)
  const closing = await markClosed(tx, { businessId, closedBy, keepsSuppressions, now })
  if (!closing) throw noSuchBusiness(subject)
  await queueClosingMails(tx, closing, { event: 'closed', now })
  return { closing, ...paused }
}

export const noSuchBusiness = (id: string) =>
  refuse('not_found', `There is no business ${id}, or it is closed already.`, {
    field: 'business_id',
  })
