/** Compiles a source of a business, whose language and colour its blocks get. */
import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Compiled } from './compile.ts'
import type { PreviewDeps } from './previews.ts'
import type { TemplateSource } from './source.ts'

export async function compiledSource(
  { db, templates }: PreviewDeps,
  businessId: Id<'business'>,
  source: TemplateSource,
): Promise<Compiled | Refusal> {
  if (!('blocks' in source)) return templates.check(businessId, source)
  const business = await senderProfileOf(db, businessId)
  if (!business) return refuse('not_found', 'There is no such business.')
  const { language, colour = null } = business
  return templates.check(businessId, source, { language, colour })
}
