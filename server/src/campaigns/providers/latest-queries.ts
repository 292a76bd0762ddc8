/** The statement that adds up the results of several campaigns by provider. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export interface LatestProvider {
  /** Empty for the providers beyond the most of a campaign. */
  provider: string
  sent: number
  delivered: number
  deferred: number
  refused: number
  bounced: number
  complained: number
  /** Whether the way that one of the campaigns took brings complaints back. */
  reported: boolean
}

/** The counters of the latest campaigns, the provider with the most recipients first. */
export function listLatest(
  db: Db,
  businessId: Id<'business'>,
  { since, campaigns }: { since: Date; campaigns: number },
): Promise<LatestProvider[]> {
  return db.all(sql`
    select c.provider, sum(c.sent)::bigint as sent, sum(c.delivered)::bigint as delivered,
      sum(c.deferred)::bigint as deferred, sum(c.refused)::bigint as refused,
      sum(c.bounced)::bigint as bounced, sum(c.complained)::bigint as complained,
      bool_or(latest.complaints_reported is not false) as reported
    from (
      select id, complaints_reported from campaigns
      where business_id = ${businessId} and deployed_at > ${since}
      order by id desc limit ${campaigns}
    ) latest
    join campaign_provider_counts c on c.business_id = ${businessId} and c.campaign_id = latest.id
    group by c.provider
    order by sum(c.sent) + sum(c.refused) desc, c.provider
  `)
}
