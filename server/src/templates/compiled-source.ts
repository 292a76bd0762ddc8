/**
 * Compiles and previews a source of a business in all its languages, with the colour of its blocks.
 * Each language is one question to the thread of checks, so that it waits there only once.
 */
import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { isRefusal, orRefusal, orThrow } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Look } from './blocks/block.ts'
import { inTranslation } from './changes.ts'
import type { Compiled, Variables } from './compile.ts'
import type { PreviewData } from './preview-data.ts'
import { noBusiness, type Preview, type PreviewDeps, withData } from './previews.ts'
import type { TemplateSource } from './source.ts'
import type { Recipient } from './variables.ts'

export interface CompiledWithPreviews {
  compiled: Compiled
  /** Of each language in order, each with all the data that was asked for. */
  previews: Preview[]
}

export interface PreviewWishes {
  data: readonly PreviewData[]
  given: Variables
  /** In place of an invented contact. */
  contact?: Recipient | undefined
  /** Of the content itself, if it is not that of the business. */
  language?: string | undefined
}

export async function compiledWithPreviews(
  { db, templates }: PreviewDeps,
  businessId: Id<'business'>,
  { translations = {}, ...own }: TemplateSource,
  { language: firstLanguage, ...wishes }: PreviewWishes,
): Promise<CompiledWithPreviews> {
  const business = await senderProfileOf(db, businessId)
  if (!business) throw noBusiness()
  const check = async (source: TemplateSource, language: string | undefined) => {
    const look: Look = { language: language ?? business.language, colour: business.colour ?? null }
    const previews = { business, testUrl: templates.testUrl, language, ...wishes }
    const withBlocks = 'blocks' in source
    const checked = orThrow(
      await templates.checkWithPreviews(businessId, source, {
        previews,
        ...(withBlocks && { look }),
      }),
    )
    return { compiled: checked.compiled, previews: withData(checked.rendered, previews) }
  }
  const first = await check(own, firstLanguage)
  const others: [string, Compiled][] = []
  const previews = [...first.previews]
  for (const [tag, content] of Object.entries(translations)) {
    const translated = await orRefusal(() => check(content, tag))
    if (isRefusal(translated)) throw inTranslation(tag, translated)
    others.push([tag, translated.compiled])
    previews.push(...translated.previews)
  }
  if (others.length === 0) return { compiled: first.compiled, previews }
  const compiled = { ...first.compiled, translations: Object.fromEntries(others) }
  return { compiled, previews }
}
