/** The links of a campaign as its caller may see them. */

import type { Id } from '../../core/ids.ts'
import { isMasked } from '../../core/masking.ts'
import type { BusinessContext } from '../../core/operation.ts'
import { versionContent } from '../../templates/owned.ts'
import { findVariants } from '../model/queries.ts'
import { type CountedLink, listLinks } from './link-queries.ts'

/**
 * Links are stored as they were filled in for a person. A connection that sees people masked gets
 * them as far as the content has them in plain.
 */
export async function shownLinks(
  context: BusinessContext,
  { campaignId, limit }: { campaignId: Id<'campaign'>; limit: number },
): Promise<CountedLink[]> {
  const { db, business } = context
  const links = await listLinks(db, business.id, { campaignId, limit })
  if (!isMasked(context) || links.length === 0) return links
  const variants = await findVariants(db, business.id, campaignId)
  const versions = await Promise.all(
    variants.map(({ versionId }) => versionContent(db, business.id, versionId)),
  )
  const { linkAsWritten } = await import('../../core/masked-text.ts')
  const { textsIn } = await import('../../templates/personal-hosts.ts')
  const texts = versions.flatMap((version) => textsIn(version?.source))
  return links.map((link) => ({ ...link, url: linkAsWritten(link.url, texts) }))
}
