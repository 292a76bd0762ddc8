/** After an erasure, saved filters no longer name the person's address. */
import type { Id } from '../../core/ids.ts'
import type { Tx } from '../../lib/db/types.ts'
import { withoutAddress } from '../filters/without-address.ts'
import type { PersonalData } from '../personal-data.ts'
import { findFiltersNaming, replaceFilter } from './queries.ts'

export const segmentPersonalData: PersonalData = {
  async move() {},

  async forget(tx, { businessId, addresses }) {
    for (const address of addresses) await forgetAddress(tx, businessId, address)
    return true
  },
}

async function forgetAddress(tx: Tx, businessId: Id<'business'>, address: string): Promise<void> {
  for (const { id, filter } of await findFiltersNaming(tx, businessId, address)) {
    await replaceFilter(tx, businessId, { id, filter: withoutAddress(filter, address) })
  }
}
