/**
 * Compiles and previews a source of a business in all its languages, with the brand of its blocks.
 * Each language is one question to the thread of checks, so that it waits there only once.
 */
import { createHash } from 'node:crypto'
import { type Brand, findBrand } from '../accounts/businesses/brand.ts'
import { senderProfileOf } from '../accounts/businesses/sender-profile.ts'
import { expandSegments } from '../contacts/segments/expand-segments.ts'
import { isRefusal, orRefusal, orThrow } from '../core/errors.ts'
import type { Id } from '../core/ids.ts'
import type { Db } from '../lib/db/types.ts'
import type { Block, Look } from './blocks/block.ts'
import { inTranslation } from './changes.ts'
import type { Compiled, Variables } from './compile.ts'
import { type PreviewData, previewData } from './preview-data.ts'
import { noBusiness, type Preview, type PreviewDeps, withData } from './previews.ts'
import type { TemplateSource } from './source.ts'
import type { Condition, Recipient } from './variables.ts'
import { everyLanguage } from './version.ts'

export interface CompiledWithPreviews {
  compiled: Compiled
  /** The previews of each language in order, each with all the data that was asked for. */
  previews: Preview[]
}

export interface PreviewWishes {
  data: readonly PreviewData[]
  given: Variables
  /** In place of an invented contact. */
  contact?: Recipient | undefined
  /** Which of the filters of blocks that contact fits. */
  shownTo?: ((conditions: readonly Condition[]) => Promise<string[]>) | undefined
  /** The language of the content itself, if it is not that of the business. */
  language?: string | undefined
}

const hasBlocks = (...contents: object[]) => contents.some((content) => 'blocks' in content)

export async function compiledWithPreviews(
  { db, templates }: PreviewDeps,
  businessId: Id<'business'>,
  { translations = {}, ...own }: TemplateSource,
  { language: firstLanguage, shownTo, ...wishes }: PreviewWishes,
): Promise<CompiledWithPreviews> {
  const withLook = hasBlocks(own, ...Object.values(translations))
  const { business, brand } = await businessLook(db, businessId, withLook)
  const check = async (source: TemplateSource, language: string | undefined) => {
    const withBlocks = 'blocks' in source
    const look: Look = {
      language: language ?? business.language,
      colour: business.colour ?? null,
      brand,
    }
    const previews = { business, testUrl: templates.testUrl, language, shownKeys: keys, ...wishes }
    const checked = orThrow(
      await templates.checkWithPreviews(businessId, source, {
        previews,
        ...(withBlocks && { look }),
      }),
    )
    return { compiled: checked.compiled, previews: withData(checked.rendered, previews) }
  }
  const conditions = await conditionsOf(db, businessId, own, translations)
  const keys = shownTo && (await shownTo(conditions))
  const first = await check(own, firstLanguage)
  const others: [string, Compiled][] = []
  const previews = [...first.previews]
  for (const [tag, content] of Object.entries(translations)) {
    const translated = await orRefusal(() => check(content, tag))
    if (isRefusal(translated)) throw inTranslation(tag, translated)
    others.push([tag, translated.compiled])
    previews.push(...translated.previews)
  }
  const compiled: Compiled = {
    ...first.compiled,
    ...(withLook && { look: lookPrint({ business, brand }) }),
    ...(conditions.length > 0 && { conditions }),
    ...(others.length > 0 && { translations: Object.fromEntries(others) }),
  }
  return { compiled, previews }
}

interface BusinessLook {
  business: NonNullable<Awaited<ReturnType<typeof senderProfileOf>>>
  brand: Brand | undefined
}

async function businessLook(
  db: Db,
  businessId: Id<'business'>,
  withBrand: boolean,
): Promise<BusinessLook> {
  const business = await senderProfileOf(db, businessId)
  if (!business) throw noBusiness()
  return { business, brand: withBrand ? await findBrand(db, businessId) : undefined }
}

/** Equal for equal looks. The tone is how texts sound, which shows in no mail by itself. */
function lookPrint({ business, brand }: BusinessLook): string {
  const { tone: _tone, ...ownBrand } = brand ?? {}
  const look = [business.language, business.colour ?? null, ownBrand]
  return createHash('sha256').update(JSON.stringify(look)).digest('base64url').slice(0, 22)
}

/**
 * Content of blocks that was compiled for another look than the business has now, compiled for this
 * one. Undefined where that changes nothing.
 */
export async function restyled(
  deps: PreviewDeps,
  businessId: Id<'business'>,
  { source, compiled }: { source: TemplateSource; compiled: Compiled },
): Promise<CompiledWithPreviews | undefined> {
  if (!hasBlocks(source, ...Object.values(source.translations ?? {}))) return undefined
  const look = lookPrint(await businessLook(deps.db, businessId, true))
  if (compiled.look === look) return undefined
  const wishes = { data: previewData, given: {} }
  const result = await compiledWithPreviews(deps, businessId, source, wishes)
  return keysOf(result.compiled).join() === keysOf(compiled).join() ? undefined : result
}

/** A key for each language in order; equal for equal content. */
export function keysOf(compiled: Compiled): string[] {
  return everyLanguage(compiled).map((entry) => entry.compiled.key)
}

/** The filters of the blocks of all languages. Their segments must exist. */
async function conditionsOf(
  db: Db,
  businessId: Id<'business'>,
  own: TemplateSource,
  translations: NonNullable<TemplateSource['translations']>,
): Promise<Condition[]> {
  const sources: [string | undefined, object][] = [
    [undefined, own],
    ...Object.entries(translations),
  ]
  if (!sources.some(([, source]) => 'blocks' in source)) return []
  const { filtersIn, mostFilters, tooManyFilters } = await import('./blocks/shown.ts')
  const conditions = new Map<string, Condition>()
  for (const [tag, source] of sources) {
    const { blocks = [] } = source as { blocks?: readonly Block[] }
    for (const [key, { filter, path }] of filtersIn(blocks)) {
      if (conditions.has(key)) continue
      const refusal =
        conditions.size >= mostFilters
          ? tooManyFilters(path)
          : await orRefusal(() => expandSegments(db, businessId, filter, { at: `${path}.show_if` }))
      if (isRefusal(refusal)) throw tag === undefined ? refusal : inTranslation(tag, refusal)
      conditions.set(key, { key, filter })
    }
  }
  return [...conditions.values()]
}
