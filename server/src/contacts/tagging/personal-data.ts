/** After an erasure, the filter of a tagging no longer names the person's address. */
import type { PersonalData } from '../erasure/personal-data.ts'
import { withoutAddress } from '../filters/without-address.ts'
import { findTaggingsNaming, replaceFilter } from './queries.ts'

export const taggingPersonalData: PersonalData = {
  async move() {},

  async forget(tx, { businessId, addresses }) {
    for (const address of addresses) {
      for (const { id, filter } of await findTaggingsNaming(tx, businessId, address)) {
        await replaceFilter(tx, businessId, { id, filter: withoutAddress(filter, address) })
      }
    }
    return true
  },
}
