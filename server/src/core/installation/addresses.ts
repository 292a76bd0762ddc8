/** The public addresses with which the service last started, to be compared on each node. */
import type { Db } from '../../lib/db/types.ts'
import { type Addresses, readAddresses, saveAddresses } from './queries.ts'

export type { Addresses } from './queries.ts'

const only = ({ baseUrl, appUrl, gatewayUrl }: Addresses): Addresses => ({
  baseUrl,
  appUrl,
  gatewayUrl,
})

/** Stores the addresses, and returns the previous ones if they were different. */
export async function recordAddresses(
  db: Db,
  addresses: Addresses,
  now: Date,
): Promise<Addresses | undefined> {
  const [before, own] = [await readAddresses(db), only(addresses)]
  const same = before && JSON.stringify(only(before)) === JSON.stringify(own)
  if (same) return undefined
  await saveAddresses(db, own, now)
  return before
}

export const recordedAddresses = readAddresses
