import { parseId } from '../core/ids.ts'
import { operation } from '../core/operation.ts'
import { setNewest } from '../lib/concurrency/set-newest.ts'
import { Type } from '../lib/schema/schema.ts'
import type { Templates } from '../templates/compile.ts'
import { versionContent } from '../templates/owned.ts'
import { previewOf } from '../templates/previews.ts'
import { byCampaign, findVariants } from './campaign.ts'
import { campaignIdInput, noSuchCampaign } from './view.ts'

interface Picture {
  html: string | null
  at: Date
}

/** How long a picture is kept, how many of them, and the most characters of one. */
const pictureAgeMs = 600_000
const mostPictures = 100
const pictureLength = 100_000

/**
 * For lists, which show each campaign small: rendered once for each version of its content, not for
 * all kinds of data, and kept for a while.
 */
export function campaignPicture({ templates }: { templates: Templates }) {
  const pictures = new Map<string, Picture>()
  return operation({
    name: 'campaign.picture',
    title: 'See a campaign small',
    summary: 'The first variant as HTML for an ordinary recipient, without its footer.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/campaigns/:campaign_id/picture',
    locate: { campaign_id: byCampaign },
    input: { campaign_id: campaignIdInput },
    output: Type.Object({ html: Type.Union([Type.String(), Type.Null()]) }),

    async run({ db, business, now }, { campaign_id }) {
      const id = parseId('campaign', campaign_id)
      const [variant] = id ? await findVariants(db, business.id, id) : []
      if (!variant) throw noSuchCampaign(campaign_id)
      const key = `${business.id} ${variant.versionId}`
      const existing = pictures.get(key)
      if (existing && now.getTime() - existing.at.getTime() < pictureAgeMs) {
        return { html: existing.html }
      }
      const content = await versionContent(db, business.id, variant.versionId)
      if (!content) throw new Error('a campaign whose content is not there')
      const settings = { businessId: business.id, data: 'sample', given: {} } as const
      const { html = null } = await previewOf({ db, templates }, content.compiled, {
        ...settings,
        contact: undefined,
      })
      if (html === null || html.length <= pictureLength) {
        setNewest(pictures, [key, { html, at: now }], mostPictures)
      }
      return { html }
    },
  })
}
