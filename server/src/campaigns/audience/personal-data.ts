/**
 * After an erasure, the filter of a campaign's audience no longer names the person's address. The
 * campaign's messages record who received it, and forget the address themselves.
 */
import { withoutAddress } from '../../contacts/filters/without-address.ts'
import type { PersonalData } from '../../contacts/personal-data.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'

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

interface NamingCampaign {
  id: Id<'campaign'>
  audience: unknown
  /** The plan that was made with that audience; null if there is none. */
  plan: unknown
}

/** Campaigns in whose audience or plan the text occurs, whatever its case. */
function findCampaignsNaming(
  tx: Tx,
  businessId: Id<'business'>,
  text: string,
): Promise<NamingCampaign[]> {
  return tx.all(sql`
    select id, audience, plan from campaigns
    where business_id = ${businessId}
      and (strpos(lower(audience::text), lower(${text})) > 0
        or strpos(lower(plan::text), lower(${text})) > 0)
    order by id for update
  `)
}

/** Replaces the audience without making a new version, because it matches the same people. */
function replaceAudience(
  tx: Tx,
  businessId: Id<'business'>,
  { id, audience, plan }: NamingCampaign,
): Promise<number> {
  return tx.run(sql`
    update campaigns set audience = ${JSON.stringify(audience)},
      plan = ${plan === null ? null : JSON.stringify(plan)}
    where business_id = ${businessId} and id = ${id}
  `)
}
