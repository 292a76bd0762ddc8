import type { Id } from '../../core/ids.ts'
import type { Compiled } from '../../templates/compile.ts'
import { restyled } from '../../templates/compiled-source.ts'
import { type VersionContent, versionContent } from '../../templates/owned.ts'
import { type Preview, type PreviewDeps, previewsOf } from '../../templates/previews.ts'
import { everyLanguage } from '../../templates/version.ts'
import type { Campaign, Variant } from '../campaign.ts'
import { findVariants } from '../campaign.ts'

export interface RenderedCampaign {
  variants: readonly RenderedContent[]
  /** The compiled content of each variant in each language. */
  compiled: readonly Compiled[]
  /** The previews of each variant in each language, in order. */
  previews: readonly RenderedVariant[]
  /** The content of each variant. */
  contents: readonly VersionContent[]
}

export interface RenderedContent extends Variant {
  /** The content of a draft in the look that the business has by now, if that is another one. */
  restyled?: VersionContent
}

export interface RenderedVariant extends Preview {
  variant: number
}

export async function readRendered(
  deps: PreviewDeps,
  businessId: Id<'business'>,
  { id, state }: Pick<Campaign, 'id' | 'state'>,
): Promise<RenderedCampaign> {
  const variants: RenderedContent[] = []
  const compiled: Compiled[] = []
  const previews: RenderedVariant[] = []
  const contents: VersionContent[] = []
  for (const variant of await findVariants(deps.db, businessId, id)) {
    const { position, versionId } = variant
    const saved = await versionContent(deps.db, businessId, versionId)
    if (!saved) throw new Error('a campaign whose content is not there')
    // What was ordered goes out as it was approved.
    const restyledVersion = state === 'draft' ? await restyled(deps, businessId, saved) : undefined
    const version = restyledVersion ? { ...saved, compiled: restyledVersion.compiled } : saved
    variants.push({ ...variant, ...(restyledVersion && { restyled: version }) })
    contents.push(version)
    compiled.push(...everyLanguage(version.compiled).map((entry) => entry.compiled))
    const rendered =
      restyledVersion?.previews ??
      (await previewsOf(deps, version.compiled, { businessId, given: {} }))
    // The content rendered when it was saved, so a failure now is a temporary fault.
    previews.push(...rendered.map((preview) => ({ ...preview, variant: position })))
  }
  return { variants, compiled, previews, contents }
}
