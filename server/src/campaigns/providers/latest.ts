/** What became of the mail of a business's latest campaigns, by the provider that receives it. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { days, later } from '../../lib/time/clock.ts'
import { reportsComplaints } from '../../messages/relays/route-facts.ts'
import type { ProviderTotals } from '../../usage/usage.ts'

const shownFor = days(30)
/** The most campaigns that are added up, the latest first. */
const mostCampaigns = 100
/** The most providers named; the others are one line. */
const mostProviders = 6

export async function latestProviders(
  db: Db,
  businessId: Id<'business'>,
  now: Date,
): Promise<ProviderTotals[]> {
  const since = later(now, -shownFor)
  const latest = await listLatest(db, businessId, { since, campaigns: mostCampaigns })
  const rows = latest.map(({ reported, ...row }) => ({
    ...row,
    complaints_reported: row.complained > 0 || (reported && reportsComplaints(row.provider)),
  }))
  const own = rows.filter(({ provider }) => provider !== '')
  const [first, ...rest] = [
    ...rows.filter(({ provider }) => provider === ''),
    ...own.slice(mostProviders),
  ].map((row): ProviderTotals => ({ ...row, provider: null }))
  const totals: ProviderTotals[] = own.slice(0, mostProviders)
  return first ? [...totals, rest.reduce(plus, first)] : totals
}

const plus = (sum: ProviderTotals, row: ProviderTotals): ProviderTotals => ({
  provider: null,
  sent: sum.sent + row.sent,
  delivered: sum.delivered + row.delivered,
  deferred: sum.deferred + row.deferred,
  refused: sum.refused + row.refused,
  bounced: sum.bounced + row.bounced,
  complained: sum.complained + row.complained,
  complaints_reported: sum.complaints_reported || row.complaints_reported,
})

interface LatestProvider {
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
function listLatest(
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
