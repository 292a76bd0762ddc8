import { readDeploySettings } from '../accounts/businesses/deploy-settings.ts'
import { contactLimits } from '../contacts/contact.ts'
import { readPerson } from '../contacts/recipients.ts'
import { refuse } from '../core/errors.ts'
import { type Id, parseId } from '../core/ids.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import type { Db } from '../lib/db/types.ts'
import { Type } from '../lib/schema/schema.ts'
import type { Templates } from '../templates/compile.ts'
import { previewData } from '../templates/preview-data.ts'
import { keysShownTo, previewOf } from '../templates/previews.ts'
import type { Recipient } from '../templates/variables.ts'
import { compiledFor } from '../templates/version.ts'
import { testLimits } from './ab-test/variant-test.ts'
import { byCampaign, findCampaign } from './campaign.ts'
import { type RenderedCampaign, type RenderedVariant, readRendered } from './preflight/rendered.ts'
import { type FooterParts, withFooters } from './preflight/with-footer.ts'
import { utmOf } from './utm.ts'
import { campaignIdInput, noSuchCampaign } from './view.ts'

/**
 * For the page on which a person approves: a frame shows the sample without counting the audience
 * again.
 */
export function campaignSample(parts: FooterParts & { templates: Templates }) {
  return operation({
    name: 'campaign.sample',
    title: 'See a campaign as it comes out',
    summary: 'One variant as HTML, for an ordinary recipient, the longest values, or none.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    appOnly: true,
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/campaigns/:campaign_id/samples/:data',
    locate: { campaign_id: byCampaign },
    input: {
      campaign_id: campaignIdInput,
      data: Type.Enum(previewData),
      contact_id: Type.Optional(
        Type.String({
          pattern: '^con_[0-9a-hjkmnp-tv-z]{26}$',
          description: 'As this contact gets it, in place of invented data.',
        }),
      ),
      variant: Type.Optional(Type.Integer({ minimum: 0, maximum: testLimits.variants })),
      language: Type.Optional(Type.String({ maxLength: contactLimits.languageLength })),
      clicks: Type.Optional(
        Type.Boolean({ description: 'With the clicks on each link of invented data.' }),
      ),
    },
    output: Type.Object({
      subject: Type.String(),
      html: Type.Union([Type.String(), Type.Null()]),
      text: Type.String(),
      clicks: Type.Optional(Type.Array(clickedLink)),
    }),

    async run(
      { db, business, hmac, now },
      { campaign_id, data, contact_id, variant = 0, language, clicks = false },
    ) {
      const id = parseId('campaign', campaign_id)
      const campaign = id && (await findCampaign(db, business.id, id))
      if (!campaign) throw noSuchCampaign(campaign_id)
      const { templates } = parts
      const rendered = await readRendered({ db, templates }, business.id, campaign)
      const previews =
        contact_id === undefined
          ? rendered.previews.filter(
              (preview) =>
                preview.data === data &&
                preview.variant === variant &&
                preview.language === language,
            )
          : await previewsFor(
              { db, templates, hmac, now },
              withVariant(rendered, variant),
              await readerOf(db, { businessId: business.id, contact_id }),
            )
      const settings = await readDeploySettings(db, business.id)
      const utm = utmOf(campaign, settings?.utm ?? null)
      const withFooter = (previews: readonly RenderedVariant[]) =>
        withFooters(db, parts, { businessId: business.id, previews, utm })
      const [preview] = await withFooter(previews)
      if (!preview) {
        const hasVariant = rendered.previews.some((preview) => preview.variant === variant)
        const text = hasVariant
          ? `The campaign has no translation ${language}.`
          : `The campaign has no variant ${variant}.`
        throw refuse('not_found', text, { field: hasVariant ? 'language' : 'variant' })
      }
      const { subject, html = null, text } = preview
      if (!clicks || html === null) return { subject, html, text }
      const [other] = await withFooter(
        rendered.previews.filter(
          (preview) =>
            preview.data === (data === 'longest' ? 'sample' : 'longest') &&
            preview.variant === variant &&
            preview.language === language,
        ),
      )
      const mail = { html, other: other?.html, unsubscribe: templates.testUrl }
      const of = { businessId: business.id, campaignId: id }
      const ofVariant = rendered.variants.length > 1 ? { ...of, variant } : of
      // Few campaigns are looked at in this way.
      const { readClicks } = await import('./results/clicks-on-mail.ts')
      return { subject, html, text, clicks: await readClicks(db, ofVariant, mail) }
    },
  })
}

const clickedLink = Type.Object({
  url: Type.String(),
  people: Type.Integer(),
  machines: Type.Integer(),
  personal: Type.Boolean(),
})

/** The campaign with this variant alone. */
function withVariant(
  { variants, contents }: RenderedCampaign,
  variant: number,
): Pick<RenderedCampaign, 'variants' | 'contents'> {
  const is = (n: number) => variants[n]?.position === variant
  return {
    variants: variants.filter((_, n) => is(n)),
    contents: contents.filter((_, n) => is(n)),
  }
}

/** A contact in whose place others read a campaign. */
export interface Reader {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  contact: Recipient
}

export async function readerOf(
  db: Db,
  { businessId, contact_id }: { businessId: Id<'business'>; contact_id: string },
): Promise<Reader> {
  const contactId = parseId('contact', contact_id)
  const contact = contactId && (await readPerson(db, { businessId, contactId }))
  if (contact) return { businessId, contactId, contact }
  const text = `This business has no contact ${contact_id}.`
  throw refuse('not_found', text, { field: 'contact_id' })
}

/** Each variant as the contact gets it. */
export async function previewsFor(
  deps: { templates: Templates } & Pick<BusinessContext, 'db' | 'hmac' | 'now'>,
  { variants, contents }: Pick<RenderedCampaign, 'variants' | 'contents'>,
  { businessId, contactId, contact }: Reader,
): Promise<RenderedVariant[]> {
  const previews: RenderedVariant[] = []
  for (const [n, { position }] of variants.entries()) {
    const content = contents[n]?.compiled
    if (!content) throw new Error('a variant without content')
    const { conditions = [] } = content
    const keys = await keysShownTo(deps, { businessId, contactId, conditions })
    const request = { businessId, data: 'sample', given: {}, contact, shown: keys } as const
    const preview = await previewOf(deps, compiledFor(content, contact.language), request)
    previews.push({ ...preview, variant: position })
  }
  return previews
}
