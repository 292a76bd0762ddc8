/** Takes a closed business back, before its deletion begins. Its sending stays stopped. */
import { type Closing, findClosing, markReopened } from '../accounts/businesses/closing.ts'
import { refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { lacksMovedKeys } from '../core/installation/moved-keys.ts'
import { recordAudit } from '../events/audit.ts'
import type { Tx } from '../lib/db/types.ts'
import { later, minutes } from '../lib/time/clock.ts'
import { queueClosingMails } from './mail.ts'

export interface TakeBack {
  businessId: Id<'business'>
  /** Who takes it back, one of its owners; null for the operator. */
  userId: Id<'user'> | null
  now: Date
}

export async function takeBack(tx: Tx, { businessId, userId, now }: TakeBack): Promise<Closing> {
  const closing = await findClosing(tx, businessId)
  if (await lacksMovedKeys(tx, businessId, later(now, -lastSeenMs))) throw nodesLackKeys()
  const isTheirs = userId === null || closing?.owners.includes(userId)
  const isBack = closing && isTheirs && (await markReopened(tx, businessId, now))
  if (!isBack) throw cannotBeTakenBack(formatId('business', businessId))
  const subject = formatId('business', businessId)
  const entry = { businessId, action: 'business.reopen', subject }
  await recordAudit(tx, [{ ...entry, ...(userId !== null && { userId }) }], now)
  await queueClosingMails(tx, closing, { event: 'reopened', now })
  return closing
}

/** A node writes that it is here every 15 seconds. */
const lastSeenMs = minutes(1)

const nodesLackKeys = () =>
  refuse(
    'conflict',
    'Restart every node of the service first: a business that was moved here has keys that they read at their start.',
    { data: { reason: 'restart_needed' } },
  )

const cannotBeTakenBack = (id: string) =>
  refuse(
    'not_found',
    `There is no closed business ${id} that can be taken back: it is open, or its deletion has begun.`,
    { field: 'business_id' },
  )
