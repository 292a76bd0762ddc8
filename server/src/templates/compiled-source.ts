/** Compiles a source of a business in all its languages, with the colour of its blocks. */
import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Look } from './blocks/block.ts'
import { inTranslation } from './changes.ts'
import type { Compiled } from './compile.ts'
import type { PreviewDeps } from './previews.ts'
import type { TemplateSource } from './source.ts'

export async function compiledSource(
  { db, templates }: PreviewDeps,
  businessId: Id<'business'>,
  { translations = {}, ...own }: TemplateSource,
  /** Of the content itself, if it is not that of the business. */
  firstLanguage?: string,
): Promise<Compiled | Refusal> {
  const contents = Object.entries(translations)
  const withBlocks = [own, ...Object.values(translations)].some((entry) => 'blocks' in entry)
  const business = withBlocks ? await senderProfileOf(db, businessId) : undefined
  if (withBlocks && !business) return refuse('not_found', 'There is no such business.')
  const lookIn = (language: string | undefined): Look | undefined =>
    business && { language: language ?? business.language, colour: business.colour ?? null }
  const compiled = await templates.check(businessId, own, lookIn(firstLanguage))
  if (isRefusal(compiled) || contents.length === 0) return compiled
  const others: [string, Compiled][] = []
  for (const [tag, content] of contents) {
    const one = await templates.check(businessId, content, lookIn(tag))
    if (isRefusal(one)) return inTranslation(tag, one)
    others.push([tag, one])
  }
  return { ...compiled, translations: Object.fromEntries(others) }
}
