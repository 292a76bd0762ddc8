/** Statements about the campaigns in the public archive of a business. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export interface ArchivedCampaign {
  id: Id<'campaign'>
  sentAt: Date
  completedAt: Date
  /** The content of the variant that won its A/B test, else of the first. */
  versionId: Id<'templateVersion'>
}

export interface ArchivePlace {
  sentAt: Date
  id: Id<'campaign'>
}

/**
 * Lists those that were sent to everybody and whose content is still stored, newest first. One that is
 * under way may still be stopped, and its recipients read it first.
 */
export function listArchived(
  db: Db,
  businessId: Id<'business'>,
  { before, limit }: { before: ArchivePlace; limit: number },
): Promise<ArchivedCampaign[]> {
  return db.all(sql`
    select c.id, c.deployed_at as "sentAt", c.completed_at as "completedAt",
      v.template_version_id as "versionId"
    from campaigns c
    left join campaign_tests t on t.business_id = c.business_id and t.campaign_id = c.id
    join campaign_variants v on v.business_id = c.business_id and v.campaign_id = c.id
      and v.position = coalesce(t.winner, 0)
    join template_versions tv on tv.business_id = v.business_id and tv.id = v.template_version_id
    where c.business_id = ${businessId} and c.in_archive and c.state = 'completed'
      and (c.deployed_at, c.id) < (${before.sentAt}::timestamptz, ${before.id}::uuid)
    order by c.deployed_at desc, c.id desc limit ${limit}
  `)
}

export function findArchived(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'campaign'>,
): Promise<ArchivedCampaign | undefined> {
  return db.maybe(sql`
    select c.id, c.deployed_at as "sentAt", c.completed_at as "completedAt",
      v.template_version_id as "versionId"
    from campaigns c
    left join campaign_tests t on t.business_id = c.business_id and t.campaign_id = c.id
    join campaign_variants v on v.business_id = c.business_id and v.campaign_id = c.id
      and v.position = coalesce(t.winner, 0)
    join template_versions tv on tv.business_id = v.business_id and tv.id = v.template_version_id
    where c.business_id = ${businessId} and c.id = ${id}
      and c.in_archive and c.state = 'completed'
  `)
}
