/** A change that was made from an older version of the draft is refused. */

import { refuseStale } from '../../accounts/saves/stale-save.ts'
import { formatId } from '../../core/ids.ts'
import type { BusinessContext } from '../../core/operation.ts'
import type { Utm } from '../../core/utm.ts'
import type { TemplateSource } from '../../templates/source.ts'
import { findTest, viewOfTest } from '../ab-test/variant-test.ts'
import type { Audience, Campaign } from '../campaign.ts'
import type { ContentInput } from '../content.ts'

interface DraftSave {
  campaign: Campaign
  before: { source: TemplateSource }
  attempt: {
    ifVersion: number | undefined
    name: string | undefined
    /** Those of the content that the call names. */
    parts: ContentInput | undefined
    audience: Audience | undefined
    topic: string | null | undefined
    utm: Utm | null | undefined
    ab: unknown
  }
}

/** If the draft is changed between this check and the save, the save itself refuses. */
export async function checkDraftVersion(
  { db, business, principal }: BusinessContext,
  { campaign, before, attempt }: DraftSave,
): Promise<void> {
  const { ifVersion, name, parts = {}, audience, topic, utm, ab } = attempt
  if (ifVersion === undefined || ifVersion === campaign.version) return
  const test =
    ab !== undefined && (await findTest(db, { businessId: business.id, campaignId: campaign.id }))
  const source: Record<string, unknown> = { ...before.source }
  const contentParts = Object.entries(parts)
  const stale = await refuseStale(db, principal, {
    noun: 'campaign',
    object: { businessId: business.id, objectId: campaign.id },
    ifVersion,
    version: campaign.version,
    yours: {
      ...(name !== undefined && { name }),
      ...Object.fromEntries(contentParts.map(([part, text]) => [`content.${part}`, text])),
      ...(audience !== undefined && { audience }),
      ...(topic !== undefined && { topic }),
      ...(utm !== undefined && { utm }),
      ...(ab !== undefined && { ab }),
    },
    theirs: {
      name: campaign.name,
      ...Object.fromEntries(contentParts.map(([part]) => [`content.${part}`, source[part] ?? ''])),
      audience: campaign.audience,
      topic: campaign.topic,
      utm: campaign.utm,
      ...(test && { ab: viewOfTest(test) }),
    },
    fix: {
      tool: 'campaign.get',
      arguments: { campaign_id: formatId('campaign', campaign.id), content: true },
    },
  })
  if (stale) throw stale
}
