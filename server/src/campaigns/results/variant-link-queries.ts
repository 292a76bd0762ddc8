/** The statement that counts a link's followers among those who got one variant. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { CountedLink } from './link-queries.ts'

/** Lists the links by the clicks of those who got one variant, the most followed first. */
export function listLinksOfVariant(
  db: Db,
  businessId: Id<'business'>,
  { campaignId, variant, limit }: { campaignId: Id<'campaign'>; variant: number; limit: number },
): Promise<CountedLink[]> {
  return db.all(sql`
    select l.url, count(*) filter (where not p.machine)::int as people,
      count(*) filter (where p.machine)::int as machines
    from campaign_link_people p
    join campaign_recipients r on r.business_id = p.business_id
      and r.campaign_id = p.campaign_id and r.contact_id = p.contact_id
    join campaign_links l on l.business_id = p.business_id
      and l.campaign_id = p.campaign_id and l.url_hash = p.url_hash
    where p.business_id = ${businessId} and p.campaign_id = ${campaignId}
      and r.variant = ${variant}
    group by l.url order by people desc, machines desc, l.url limit ${limit}
  `)
}
