import { senderProfileOf } from '../../accounts/businesses/sender-profile.ts'
import type { Id } from '../../core/ids.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Templates } from '../../templates/compile.ts'
import type { UnsubscribeCheck } from './gates/unsubscribe.ts'
import type { SaidPreview } from './rendered.ts'

export interface FooterParts {
  templates: Pick<Templates, 'testUrl'>
  unsubscribeCheck: Pick<UnsubscribeCheck, 'withFooter'>
}

/** Mail as its recipients get it: with the footer of the business; texts stay as they are. */
export async function withFooters<P extends SaidPreview>(
  db: Db,
  { templates, unsubscribeCheck }: FooterParts,
  { businessId, previews }: { businessId: Id<'business'>; previews: readonly P[] },
): Promise<P[]> {
  const business = await senderProfileOf(db, businessId)
  return previews.map((preview) => {
    const { html, text } = preview
    if (!business || html === undefined) return preview
    return {
      ...preview,
      ...unsubscribeCheck.withFooter(business, templates.testUrl, { html, text }),
    }
  })
}
