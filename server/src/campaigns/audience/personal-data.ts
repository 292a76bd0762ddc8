/**
 * After an erasure, the filter of a campaign's audience no longer names the person's address. The
 * campaign's messages record who received it, and forget the address themselves.
 */

import { withoutAddress } from '../../contacts/filters/without-address.ts'
import type { PersonalData } from '../../contacts/personal-data.ts'
import { findCampaignsNaming, replaceAudience } from './personal-data-queries.ts'

export const campaignPersonalData: PersonalData = {
  async move() {},

  async forget(tx, { businessId, addresses }) {
    for (const address of addresses) {
      for (const { id, audience, plan } of await findCampaignsNaming(tx, businessId, address)) {
        await replaceAudience(tx, businessId, {
          id,
          audience: withoutAddress(audience, address),
          plan: withoutAddress(plan, address),
        })
      }
    }
    return true
  },
}
