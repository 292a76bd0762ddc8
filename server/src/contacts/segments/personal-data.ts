/** Saved filters may name a person by their address: after an erasure they do not. */
import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import type { PersonalData } from '../erasure/personal-data.ts'
import { findFiltersNaming, replaceFilter } from './queries.ts'

/** No contact has it as an address, so the filter fits the same people. */
const placeholder = 'erased'

export const segmentPersonalData: PersonalData = {
  async move() {},

  async forget(tx, { businessId, addresses }) {
    for (const address of addresses) await forgetAddress(tx, businessId, address)
    return true
  },
}

async function forgetAddress(tx: Tx, businessId: Id<'business'>, address: string): Promise<void> {
  for (const { id, filter } of await findFiltersNaming(tx, businessId, address)) {
    await replaceFilter(tx, businessId, { id, filter: without(filter, address) })
  }
}

/** Every text that is the address, whatever its case; longer texts that hold it stay. */
function without(value: unknown, address: string): unknown {
  if (typeof value === 'string') {
    return value.trim().toLowerCase() === address.toLowerCase() ? placeholder : value
  }
  if (Array.isArray(value)) return value.map((one) => without(one, address))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, without(one, address)]))
}
