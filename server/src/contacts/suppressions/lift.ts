import { orThrow, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import { type Hmac, operation } from '../../core/operation.ts'
import { recordAudit } from '../../events/audit.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { Channel } from '../contact.ts'
import {
  deleteHashed,
  deleteSuppressions,
  markOf,
  readSuppressed,
  type SuppressionReason,
  sha256Named,
  sha256Of,
  suppressionIdOf,
} from './suppression.ts'

/** The most characters of the reason, which the audit log stores. */
const liftReasonLength = 500

/** For the page on which an owner lifts it. No assistant may, whatever its instructions are. */
export const suppressionLift = operation({
  name: 'suppression.lift',
  title: 'Lift a suppression',
  summary: 'Remove an address from the suppression list, with a reason for the audit log.',
  reach: 'business',
  scope: 'audience:write',
  role: 'owner',
  tier: 'free',
  appOnly: true,
  freshFactor: 'lifting',
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

  async run({ business, hmac, now, origin, write }, { reason, ...target }) {
    const businessId = business.id
    const mark = orThrow(readSuppressed(hmac, businessId, target))
    return write(async (tx) => {
      const hashes = await deleteHashed(tx, businessId, { mark, sha256: sha256Named(target) })
      const complained = await keepComplaint(tx, businessId, mark, now)
      const lifted = complained ?? (await liftSuppression(tx, businessId, mark))
      if (!lifted && hashes === 0) {
        await checkCanBeLifted(tx, businessId, mark)
        return { lifted: false }
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

/** Refuses where the address stays suppressed for a reason that no member may lift. */
async function checkCanBeLifted(tx: Tx, businessId: Id<'business'>, mark: Buffer): Promise<void> {
  const suppression = await findReason(tx, businessId, mark)
  if (!suppression) return
  const text =
    suppression.reason === 'stop'
      ? 'This person said STOP by text message, and only they can take it back, by texting START.'
      : 'The person with this address was erased, and who is erased stays erased.'
  throw refuse('conflict', text, { data: { reason: suppression.reason } })
}

/** By subscribing again on the preference page: the link may be old, so a bounce stays. */
export const liftedByChoosing: readonly SuppressionReason[] = ['unsubscribed']

/** By a text from the number: the person can be reached, so failed deliveries no longer count. */
export const liftedByTexting: readonly SuppressionReason[] = ['stop', 'bounce', 'unsubscribed']

interface ToLift {
  businessId: Id<'business'>
  channel: Channel
  /** The normalised address. */
  address: string
  reasons: readonly SuppressionReason[]
}

/** Returns whether the address was suppressed for one of the reasons. */
export async function liftByPerson(
  tx: Tx,
  hmac: Hmac,
  { businessId, channel, address, reasons }: ToLift,
): Promise<boolean> {
  const mark = markOf(hmac, businessId, address)
  const lifted = await deleteSuppressions(tx, businessId, { channel, mark, reasons })
  const hashed = { mark, sha256: sha256Of(address), reasons }
  const unhashed = await deleteHashed(tx, businessId, hashed)
  if (reasons.includes('bounce')) await forgetFailures(tx, businessId, mark)
  return lifted + unhashed > 0
}

/**
 * Lifts the suppression of an address to which mail could not be delivered, and no other one. A
 * complaint about it stays.
 */
export async function liftBounce(
  tx: Tx,
  businessId: Id<'business'>,
  mark: Buffer,
  now: Date,
): Promise<void> {
  await forgetFailures(tx, businessId, mark)
  if (await keepComplaint(tx, businessId, mark, now)) return
  await tx.run(sql`
    delete from suppressions
    where business_id = ${businessId} and channel = 'email' and address_hmac = ${mark}
      and reason = 'bounce'
  `)
}

/**
 * Keeps the suppression of an address that was also complained about, with the complaint as its
 * reason.
 */
export function keepComplaint(
  tx: Tx,
  businessId: Id<'business'>,
  mark: Buffer,
  now: Date,
): Promise<{ channel: Channel; complainedAt: Date } | undefined> {
  return tx.maybe(sql`
    update suppressions
    set reason = 'complaint', source = 'complaint', created_at = complained_at,
      written_at = ${now}
    where business_id = ${businessId} and address_hmac = ${mark} and complained_at is not null
      and reason in ('bounce', 'manual')
    returning channel, complained_at as "complainedAt"
  `)
}

/** Lifts a suppression, except an erasure or STOP, which only the person can undo. */
export function liftSuppression(
  tx: Tx,
  businessId: Id<'business'>,
  mark: Buffer,
): Promise<{ channel: Channel; reason: SuppressionReason } | undefined> {
  return tx.maybe(sql`
    delete from suppressions
    where business_id = ${businessId} and address_hmac = ${mark}
      and reason not in ('erased', 'stop')
    returning channel, reason
  `)
}

function findReason(
  db: Db,
  businessId: Id<'business'>,
  mark: Buffer,
): Promise<{ reason: SuppressionReason } | undefined> {
  return db.maybe(sql`
    select reason from suppressions where business_id = ${businessId} and address_hmac = ${mark}
    limit 1
  `)
}

/** Deletes the failures before the lift, so that the address starts afresh. */
function forgetFailures(tx: Tx, businessId: Id<'business'>, mark: Buffer): Promise<number> {
  return tx.run(sql`
    delete from soft_bounces where business_id = ${businessId} and address_hmac = ${mark}
  `)
}
