import { isRefusal, type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import type { Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import { deleteHashed } from './hashed-queries.ts'
import {
  findReason,
  forgetFailures,
  keepComplaint,
  liftSuppression,
} from './suppression-list-queries.ts'
import { readSuppressed, sha256Named, suppressionIdOf } from './suppression-named.ts'

/** The most characters of the reason, which the audit log stores. */
export const liftReasonLength = 500

/** For the page on which an owner lifts it. No assistant may, whatever its instructions are. */
export const suppressionLift = operation({
  name: 'suppression.lift',
  title: 'Lift a suppression',
  summary: 'Take an address off the list of suppressions, with a reason that the audit keeps.',
  reach: 'business',
  scope: 'audience:write',
  role: 'owner',
  tier: 'free',
  appOnly: true,
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  rest: 'POST /v1/suppressions/lift',
  input: {
    suppression_id: Type.Optional(Type.String({ pattern: '^sup_[0-9a-f]{16,128}$' })),
    email: Type.Optional(Type.String({ maxLength: 254 })),
    phone: Type.Optional(Type.String({ maxLength: 40 })),
    reason: Type.String({ minLength: 1, maxLength: liftReasonLength, pattern: '\\S' }),
  },
  output: Type.Object({
    lifted: Type.Boolean({ description: 'False where the address was not on the list.' }),
    stays: Type.Optional(
      Type.String({ description: 'complaint: it still gets no marketing, for that reason.' }),
    ),
  }),

  async run({ business, hmac, now, origin, write }, { reason, ...named }) {
    const businessId = business.id
    const mark = readSuppressed(hmac, businessId, named)
    if (isRefusal(mark)) return mark
    return write(async (tx) => {
      const hashes = await deleteHashed(tx, businessId, { mark, sha256: sha256Named(named) })
      const complained = await keepComplaint(tx, businessId, mark, now)
      const lifted = complained ?? (await liftSuppression(tx, businessId, mark))
      if (!lifted && hashes === 0) {
        return (await whyNot(tx, businessId, mark)) ?? { lifted: false }
      }
      await forgetFailures(tx, businessId, mark)
      const subject = suppressionIdOf(mark)
      const details = { reason, ...(lifted && { channel: lifted.channel }) }
      const entry = { businessId, action: 'suppression.lift', subject, details, origin }
      await recordAudit(tx, [entry], now)
      return { lifted: true, ...(complained && { stays: 'complaint' }) }
    })
  },
})

async function whyNot(
  tx: Tx,
  businessId: Id<'business'>,
  mark: Buffer,
): Promise<Refusal | undefined> {
  const found = await findReason(tx, businessId, mark)
  if (!found) return undefined
  const text =
    found.reason === 'stop'
      ? 'This person said STOP by text message, and only they can take it back, by texting START.'
      : 'The person with this address was erased, and who is erased stays erased.'
  return refuse('conflict', text, { data: { reason: found.reason } })
}
