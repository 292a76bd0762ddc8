/**
 * Long texts arrive in parts, in any order and over any connection. Each part is stored before its
 * provider gets the acknowledgement, so that no restart loses a person's request. A text whose last
 * part never arrives is processed with the parts it has: a STOP must not wait for ever.
 */

import { randomUUID } from 'node:crypto'
import type { Tx } from '../lib/db/types.ts'
import type { InboundText, PartPlace } from '../lib/sms/transport.ts'
import { later, minutes } from '../lib/time/clock.ts'
import { countParts, keepPart, type PartsKey, receiveParts, waitingSince } from './part-queries.ts'
import { type ReplyDeps, receiveSmsIn } from './receive-sms.ts'

/** How long the parts of a text wait for the next part. */
export const partsWaitMs = minutes(2)

/** The most texts that one run of the job processes. */
const perRun = 1_000

export function receivePart(
  deps: ReplyDeps,
  route: string,
  { from, to, body, place }: Omit<InboundText, 'place'> & { place: PartPlace },
): Promise<void> {
  const { part, ...rest } = place
  const key = { phone: from, sender: to, ...rest }
  return deps.db.tx(async (tx) => {
    const kept = { ...key, part, body: Buffer.from(body, 'utf16le') }
    await keepPart(tx, kept, deps.clock.now())
    if ((await countParts(tx, key)).count === key.total) await takeJoined(tx, deps, route, key)
  })
}

/** Processes texts that have waited long enough. Returns their number. */
export async function takeOverdue(deps: ReplyDeps): Promise<number> {
  const overdue = await waitingSince(deps.db, later(deps.clock.now(), -partsWaitMs), perRun)
  for (const key of overdue) await deps.db.tx((tx) => takeJoined(tx, deps, 'parts', key))
  return overdue.length
}

async function takeJoined(tx: Tx, deps: ReplyDeps, route: string, key: PartsKey): Promise<void> {
  const parts = await receiveParts(tx, key)
  // Another process took the parts first.
  if (parts.length === 0) return
  const bodies = parts.toSorted((a, b) => a.part - b.part).map(({ body }) => body)
  const body = Buffer.concat(bodies).toString('utf16le')
  const { phone: from, sender: to } = key
  const text = { from, to, body, providerId: randomUUID(), at: deps.clock.now() }
  await receiveSmsIn(tx, deps, route, text)
}
