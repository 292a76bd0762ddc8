/** What a campaign says in all its variants, and how that comes out. */
import { isRefusal } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Compiled } from '../../templates/compile.ts'
import { versionContent } from '../../templates/owned.ts'
import { type Preview, type PreviewDeps, previewsOf } from '../../templates/previews.ts'
import type { Campaign, Variant } from '../model/campaign.ts'
import { findVariants } from '../model/queries.ts'

export interface Said {
  variants: readonly Variant[]
  compiled: readonly Compiled[]
  /** Of every variant, in order. */
  previews: readonly SaidPreview[]
}

export interface SaidPreview extends Preview {
  variant: number
}

export async function readRendered(
  deps: PreviewDeps,
  businessId: Id<'business'>,
  { id }: Pick<Campaign, 'id'>,
): Promise<Said> {
  const variants = await findVariants(deps.db, businessId, id)
  const compiled: Compiled[] = []
  const previews: SaidPreview[] = []
  for (const { position, versionId } of variants) {
    const version = await versionContent(deps.db, businessId, versionId)
    if (!version) throw new Error('a campaign whose content is not there')
    compiled.push(version.compiled)
    const rendered = await previewsOf(deps, version.compiled, { businessId, given: {} })
    // It was rendered when it was saved; that it is not now is a fault of the moment.
    if (isRefusal(rendered)) throw rendered
    previews.push(...rendered.map((preview) => ({ ...preview, variant: position })))
  }
  return { variants, compiled, previews }
}
