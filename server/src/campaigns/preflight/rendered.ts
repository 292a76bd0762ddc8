import type { Id } from '../../core/ids.ts'
import type { Compiled } from '../../templates/compile.ts'
import { everyLanguage } from '../../templates/languages.ts'
import { type VersionContent, versionContent } from '../../templates/owned.ts'
import { type Preview, type PreviewDeps, previewsOf } from '../../templates/previews.ts'
import type { Campaign, Variant } from '../model/campaign.ts'
import { findVariants } from '../model/queries.ts'

export interface RenderedCampaign {
  variants: readonly Variant[]
  /** Of each variant in each language. */
  compiled: readonly Compiled[]
  /** Of each variant in each language, in order. */
  previews: readonly RenderedVariant[]
  /** The content of each variant. */
  contents: readonly VersionContent[]
}

export interface RenderedVariant extends Preview {
  variant: number
}

export async function readRendered(
  deps: PreviewDeps,
  businessId: Id<'business'>,
  { id }: Pick<Campaign, 'id'>,
): Promise<RenderedCampaign> {
  const variants = await findVariants(deps.db, businessId, id)
  const compiled: Compiled[] = []
  const previews: RenderedVariant[] = []
  const contents: VersionContent[] = []
  for (const { position, versionId } of variants) {
    const version = await versionContent(deps.db, businessId, versionId)
    if (!version) throw new Error('a campaign whose content is not there')
    contents.push(version)
    compiled.push(...everyLanguage(version.compiled).map((entry) => entry.compiled))
    const rendered = await previewsOf(deps, version.compiled, { businessId, given: {} })
    // The content rendered when it was saved, so a failure now is a temporary fault.
    previews.push(...rendered.map((preview) => ({ ...preview, variant: position })))
  }
  return { variants, compiled, previews, contents }
}
