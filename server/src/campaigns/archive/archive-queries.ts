/** Statements about the campaigns in the public archive of a business. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export interface ArchivedCampaign {
  id: Id<'campaign'>
  sentAt: Date
  completedAt: Date
  /** The content of the variant that won its A/B test, else of the first; null once it is deleted. */
  versionId: Id<'templateVersion'> | null
}

export interface ArchivePlace {
  sentAt: Date
  id: Id<'campaign'>
}

/**
 * Lists those that were sent to everybody, newest first. One that is under way may still be stopped,
 * and its recipients read it first. The page is chosen before the content is looked for, so that it
 * costs the same in a long archive.
 */
export function listArchived(
  db: Db,
  businessId: Id<'business'>,
  { before, limit }: { before: ArchivePlace; limit: number },
): Promise<ArchivedCampaign[]> {
  return db.all(sql`
    select c.id, c.deployed_at as "sentAt", c.completed_at as "completedAt", tv.id as "versionId"
    from (
      select business_id, id, deployed_at, completed_at from campaigns
      where business_id = ${businessId} and in_archive and state = 'completed'
        and (deployed_at, id) < (${before.sentAt}::timestamptz, ${before.id}::uuid)
      order by deployed_at desc, id desc limit ${limit}
    ) c
    left join campaign_tests t on t.business_id = c.business_id and t.campaign_id = c.id
    left join campaign_variants v on v.business_id = c.business_id and v.campaign_id = c.id
      and v.position = coalesce(t.winner, 0)
    left join template_versions tv
      on tv.business_id = v.business_id and tv.id = v.template_version_id
    order by c.deployed_at desc, c.id desc
  `)
}

export function findArchived(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'campaign'>,
): Promise<ArchivedCampaign | undefined> {
  return db.maybe(sql`
    select c.id, c.deployed_at as "sentAt", c.completed_at as "completedAt", tv.id as "versionId"
    from campaigns c
    left join campaign_tests t on t.business_id = c.business_id and t.campaign_id = c.id
    left join campaign_variants v on v.business_id = c.business_id and v.campaign_id = c.id
      and v.position = coalesce(t.winner, 0)
    left join template_versions tv
      on tv.business_id = v.business_id and tv.id = v.template_version_id
    where c.business_id = ${businessId} and c.id = ${id}
      and c.in_archive and c.state = 'completed'
  `)
}
