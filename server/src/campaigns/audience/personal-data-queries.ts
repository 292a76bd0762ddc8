/** Statements about campaigns whose stored filters name an address. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'

export interface NamingCampaign {
  id: Id<'campaign'>
  audience: unknown
  /** The plan that was made with that audience; null if there is none. */
  plan: unknown
}

/** Campaigns in whose audience or plan the text occurs, whatever its case. */
export function findCampaignsNaming(
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
export function replaceAudience(
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
