/**
 * Every opt-out, in a form that can be stored outside the database and applied to an older copy of
 * it: suppressions, erasures, unsubscriptions and numbers that sent STOP.
 */

import { formatId, type Id, parseId } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Database, Db, Tx } from '../../lib/db/types.ts'
import { changeConsent } from '../consent/change-consent.ts'
import { eraseContact } from '../erasure/erase-contact.ts'
import type { Channel } from '../model/contact.ts'
import { markAddresses } from '../suppression/hash-addresses.ts'
import { insertStopped } from '../suppression/stopped-number-queries.ts'
import type { SuppressionReason } from '../suppression/suppression.ts'
import { insertSuppressions } from '../suppression/suppression-queries.ts'
import { findByMark, stoppedSince, suppressedSince, unsubscribedSince } from './opt-out-queries.ts'

/** One line of the ledger. It holds no address: `mark` is a keyed hash, in hex. */
export type OptOut = { at: string; mark: string } & (
  | { kind: 'suppressed'; business_id: string; channel: Channel; reason: SuppressionReason }
  | { kind: 'unsubscribed'; business_id: string; channel: Channel; topic: string | null }
  | { kind: 'stopped' }
)

/** Returns the opt-outs in the order in which they happened. */
export async function optOutsSince(db: Db, since: Date): Promise<OptOut[]> {
  const [suppressed, unsubscribed, stopped] = [
    await suppressedSince(db, since),
    await unsubscribedSince(db, since),
    await stoppedSince(db, since),
  ]
  const all: OptOut[] = [
    ...suppressed.map(({ businessId, channel, mark, reason, at }) => ({
      ...told(at, mark),
      kind: 'suppressed' as const,
      business_id: formatId('business', businessId),
      channel,
      reason,
    })),
    ...unsubscribed.flatMap(({ businessId, channel, topic, emailMark, phoneMark, at }) => {
      const mark = channel === 'email' ? emailMark : phoneMark
      if (!mark) return []
      const business_id = formatId('business', businessId)
      return [{ ...told(at, mark), kind: 'unsubscribed' as const, business_id, channel, topic }]
    }),
    ...stopped.map(({ mark, at }) => ({ ...told(at, mark), kind: 'stopped' as const })),
  ]
  return all.toSorted((a, b) => (a.at < b.at ? -1 : 1))
}

const told = (at: Date, mark: Buffer) => ({ at: at.toISOString(), mark: mark.toString('hex') })

/** Applies opt-outs to a database that may lack them. Opt-outs that it has stay as they are. */
export async function applyOptOuts(
  db: Database,
  hmac: Hmac,
  optOuts: readonly OptOut[],
  now: Date,
): Promise<void> {
  const businesses = new Set(optOuts.map(businessOf).filter((id) => id !== undefined))
  for (const businessId of businesses) await markAddresses(db, hmac, businessId)
  for (const one of optOuts) await db.tx((tx) => apply(tx, hmac, one, now))
}

const businessOf = (one: OptOut): Id<'business'> | undefined =>
  one.kind === 'stopped' ? undefined : parseId('business', one.business_id)

async function apply(tx: Tx, hmac: Hmac, one: OptOut, now: Date): Promise<void> {
  const mark = Buffer.from(one.mark, 'hex')
  if (one.kind === 'stopped') {
    await insertStopped(tx, [mark], now)
    return
  }
  const businessId = businessOf(one)
  if (!businessId) return
  if (one.kind === 'suppressed') {
    const { channel, reason } = one
    await insertSuppressions(tx, [{ businessId, channel, mark, reason, source: 'restore' }], now)
    if (reason !== 'erased') return
  }
  for (const { id } of await findByMark(tx, businessId, mark)) {
    if (one.kind === 'suppressed') await eraseContact(tx, hmac, { businessId, id }, now)
    else {
      const { channel, topic } = one
      const said = {
        channel,
        status: 'unsubscribed' as const,
        source: 'ledger, after a restore',
        ...(topic !== null && { topics: [topic] }),
      }
      await changeConsent(tx, { businessId, contactId: id, said: [said] }, now)
    }
  }
}
