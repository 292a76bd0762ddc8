/** Writes the rows of a plan and finds out which of them could not be written. */

import type { Refusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Hmac } from '../../core/operation.ts'
import type { Tx } from '../../lib/db/types.ts'
import { overLimit } from '../../usage/refusal.ts'
import {
  type Counter,
  computeAllowance,
  type HeldCounters,
  lockStandingCounters,
  release,
} from '../../usage/reserve.ts'
import type { Channel, ContactSource, ContactToSave } from '../contact.ts'
import type { ContactRow } from '../model/columns.ts'
import { findTaken, insertContacts, insertOptimistic, updateContacts } from '../rows.ts'
import { type NewAddress, suppressHashed } from '../suppressions/hashed-queries.ts'
import { findErased } from '../suppressions/suppression-queries.ts'
import { markOf } from '../suppressions/suppressions.ts'
import type { LeftToEnd } from './left-to-end.ts'
import type { Entry, FailedEntries, Plan } from './plan.ts'

interface WriteContext {
  hmac: Hmac
  lost: Map<Entry, Refusal | 'again'>
  now: Date
  optimistic: boolean
}

interface WritingPlan {
  now: Date
  optimistic: boolean
  /** As for `computeAllowance`. */
  held?: HeldCounters | undefined
  left?: LeftToEnd | undefined
}

/**
 * Returns the entries that could not be written, or `blocked`, having written nothing, if
 * contacts of the set conflict with each other, as when two swap their numbers. With `optimistic` it
 * returns only the entries known beforehand, and the transaction fails if there are others.
 */
export async function writePlan(
  tx: Tx,
  { steps, altered, added }: Plan,
  { now, optimistic, held, left }: WritingPlan,
): Promise<FailedEntries | 'blocked'> {
  const lost: WriteContext['lost'] = new Map()
  const hmac = steps[0]?.item.hmac
  if (!hmac) return lost
  const means: WriteContext = { hmac, lost, now, optimistic }
  const room =
    added.size > 0 ? await readAllowance(tx, added, { now, held, later: left?.taken }) : undefined
  const newcomers = new Map([...added.keys()].map((entry) => [entry, newAddressesOf(entry, hmac)]))
  const moved = [...altered].flatMap((entry) => newAddressesOf(entry, hmac))
  if (moved.length > 0) await findConflicts(tx, moved, means)
  if (lost.size > 0 && steps.length > 1) return 'blocked'
  const fresh = [...moved, ...[...newcomers.values()].flat()]
  left?.fresh.push(...fresh)
  // Changed contacts come first: they may give up an address that a new contact gets.
  await Promise.all([
    updateChanged(tx, { entries: [...altered], moved }, means),
    room?.take(),
    room && insertAdded(tx, added, { ...means, room, newcomers }),
    !left && fresh.length > 0 && suppressHashed(tx.pipelined, fresh, 'suppression.import', now),
  ])
  return lost
}

/** New contacts with their addresses. */
type Newcomers = ReadonlyMap<Entry, AddressOfEntry[]>

interface ChangedEntries {
  entries: Entry[]
  moved: AddressOfEntry[]
}

async function updateChanged(
  tx: Tx,
  { entries, moved }: ChangedEntries,
  means: WriteContext,
): Promise<void> {
  const addresses = Map.groupBy(moved, ({ entry }) => entry)
  const rows = entries
    .filter((entry) => !means.lost.has(entry))
    .map((entry) => rowOf(entry, addresses.get(entry)))
  // The rows are locked and nothing conflicts, so there is no need to wait for the result.
  if (rows.length > 0) await updateContacts(tx.pipelined, rows, means.now)
}

interface AddressOfEntry extends NewAddress {
  entry: Entry
}

function newAddressesOf(entry: Entry, hmac: Hmac): AddressOfEntry[] {
  const { businessId, stored, values } = entry
  const { email, phone } = values
  const found: AddressOfEntry[] = []
  if (email !== null && email !== stored?.email) {
    const mark = markOf(hmac, businessId, email)
    found.push({ entry, businessId, address: email, channel: 'email', mark })
  }
  if (phone !== null && phone !== stored?.phone) {
    const mark = markOf(hmac, businessId, phone)
    found.push({ entry, businessId, address: phone, channel: 'sms', mark })
  }
  return found
}

/**
 * An update has no `on conflict`, unlike an insert, so conflicts are checked first, with other
 * transactions locked out.
 */
async function findConflicts(
  tx: Tx,
  moved: AddressOfEntry[],
  { lost }: WriteContext,
): Promise<void> {
  const businesses = [...new Set(moved.map(({ businessId }) => businessId))]
  await lockStandingCounters(
    tx,
    businesses.map((businessId) => ({ businessId, metric: 'contacts' })),
  )
  const taken = new Set((await findTaken(tx, moved)).map(nameOf))
  const erased = new Set((await findErased(tx, moved)).map(({ mark }) => mark.toString('hex')))
  for (const one of moved) {
    if (taken.has(nameOf(one)) || erased.has(one.mark.toString('hex'))) lost.set(one.entry, 'again')
  }
}

const nameOf = ({ businessId, address }: { businessId: string; address: string }) =>
  `${businessId} ${address}`

interface ContactAllowance {
  /** How many of the requested contacts each business may still add. */
  left: Map<Id<'business'>, number>
  take(): Promise<void>
}

async function readAllowance(
  tx: Tx,
  added: Plan['added'],
  means: { now: Date; held: HeldCounters | undefined; later: Counter[] | undefined },
): Promise<ContactAllowance> {
  const wanted = [...Map.groupBy(added.values(), ({ businessId }) => businessId)].map(
    ([businessId, items]) => ({
      businessId,
      metric: 'contacts' as const,
      amount: items.length,
      tier: items[0]?.tier ?? 'free',
      partial: true,
    }),
  )
  const { granted, take } = await computeAllowance(tx, wanted, means)
  return { left: new Map(wanted.map(({ businessId }, i) => [businessId, granted[i] ?? 0])), take }
}

async function insertAdded(
  tx: Tx,
  added: Plan['added'],
  {
    lost,
    now,
    optimistic,
    room,
    newcomers,
  }: WriteContext & { room: ContactAllowance; newcomers: Newcomers },
): Promise<void> {
  const fitting: [Entry, ContactToSave][] = []
  for (const [entry, item] of added) {
    const left = room.left.get(entry.businessId) ?? 0
    room.left.set(entry.businessId, left - 1)
    if (left > 0) fitting.push([entry, item])
    else lost.set(entry, overLimit('contacts', item.tier))
  }
  if (fitting.length === 0) return
  const rows = fitting.map(([entry, { source }]) => rowOf(entry, newcomers.get(entry), source))
  if (optimistic) return insertOptimistic(tx, rows, now)
  const inserted = new Set(await insertContacts(tx, rows, now))
  const failed = fitting.map(([entry]) => entry).filter(({ id }) => !inserted.has(id))
  for (const entry of failed) lost.set(entry, 'again')
  await release(
    tx,
    failed.map(({ businessId }) => ({ businessId, metric: 'contacts', amount: 1 })),
    now,
  )
}

function rowOf(
  { businessId, id, values }: Entry,
  addresses: readonly AddressOfEntry[] = [],
  source?: ContactSource,
): ContactRow {
  return {
    ...values,
    businessId,
    id,
    source,
    emailMark: markOn(addresses, 'email'),
    phoneMark: markOn(addresses, 'sms'),
  }
}

function markOn(addresses: readonly AddressOfEntry[], channel: Channel): Buffer | null {
  for (const address of addresses) if (address.channel === channel) return address.mark
  return null
}
