import { senderProfileOf } from '../../accounts/businesses/sender-profile.ts'
import type { Id } from '../../core/ids.ts'
import type { Utm } from '../../core/utm.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Templates } from '../../templates/compile.ts'
import type { UnsubscribeCheck } from './gates/unsubscribe.ts'
import type { RenderedVariant } from './rendered.ts'

export interface FooterParts {
  templates: Pick<Templates, 'testUrl'>
  unsubscribeCheck: Pick<UnsubscribeCheck, 'withFooter'>
}

/** Adds the business's footer to mail, as recipients get it; texts stay as they are. */
export async function withFooters<P extends RenderedVariant>(
  db: Db,
  { templates, unsubscribeCheck }: FooterParts,
  {
    businessId,
    previews,
    utm,
  }: { businessId: Id<'business'>; previews: readonly P[]; utm: Utm | undefined },
): Promise<P[]> {
  const business = await senderProfileOf(db, businessId)
  return previews.map((preview) => {
    const { html, text, language } = preview
    if (!business || html === undefined) return preview
    return {
      ...preview,
      ...unsubscribeCheck.withFooter(
        business,
        templates.testUrl,
        { html, text },
        { language, utm },
      ),
    }
  })
}
