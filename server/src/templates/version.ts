/** The current version of a template, for domains that send it, and its form in a recipient's language. */

import { type Id, liveOf } from '../core/ids.ts'
import { setNewest } from '../lib/concurrency/set-newest.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { lookUpLanguage } from '../lib/text/language-tag.ts'
import type { Compiled } from './compile.ts'
import { emptySlotsIn, isMarketing } from './gallery/entries.ts'
import type { TemplateChannel, TemplateSource } from './source.ts'
import { type CompiledTemplate, findKey, findTemplate } from './template.ts'
import { neededVariables } from './variables.ts'

export interface TemplateVersion {
  id: Id<'template'>
  versionId: Id<'templateVersion'>
  channel: TemplateChannel
  source: TemplateSource
  /** The form that `Templates.render` takes. */
  compiled: Compiled
  /** Whether a person marked it as transactional. */
  isTransactional: boolean
  /** Whether the gallery's mail that it was made of may be sent as marketing alone. */
  isMarketing: boolean
  /** Slots of the gallery's mail that nobody has filled. */
  emptySlots: string[]
}

export async function findTemplateVersion(
  db: Db,
  businessId: Id<'business'>,
  template: Id<'template'> | { key: string },
): Promise<TemplateVersion | undefined> {
  const id = typeof template === 'string' ? template : await findKey(db, businessId, template.key)
  const row = id && (await findTemplate(db, businessId, id))
  if (!row) return undefined
  const { versionId, channel, source, compiled, transactionalAt, gallery } = row
  const { subject, text, html = '' } = compiled.parts
  return {
    id,
    versionId,
    channel,
    source,
    compiled,
    isTransactional: transactionalAt !== null,
    isMarketing: gallery !== null && isMarketing(gallery),
    emptySlots: gallery === null ? [] : emptySlotsIn([subject, text, html]),
  }
}

type ReadCompiled = (
  db: Db,
  businessId: Id<'business'>,
  versionId: Id<'templateVersion'>,
) => Promise<Compiled | undefined>

/** Versions never change, so one read serves a whole campaign. */
export function createCompiledReader(capacity = 100): ReadCompiled {
  const cache = new Map<string, Compiled>()
  return async (db, businessId, versionId) => {
    const key = `${businessId} ${versionId}`
    const compiled = cache.get(key) ?? (await findVersion(db, businessId, versionId))?.compiled
    if (!compiled) return undefined
    setNewest(cache, [key, compiled], capacity)
    return compiled
  }
}

/** Finds one version, even if it is not the latest. */
export function findVersion(
  db: Db,
  businessId: Id<'business'>,
  versionId: Id<'templateVersion'>,
): Promise<Pick<CompiledTemplate, 'source' | 'compiled' | 'gallery'> | undefined> {
  return db.maybe(sql`
    select v.source, v.compiled, t.gallery
    from template_versions v
    join templates t on t.business_id = v.business_id and t.id = v.template_id
    where v.business_id = any(${[businessId, liveOf(businessId)]}::uuid[]) and v.id = ${versionId}
  `)
}

/** A template with its content, for a domain that takes it over. */
export const wholeTemplate: typeof findTemplate = (db, businessId, id) =>
  findTemplate(db, businessId, id)
export type WholeTemplate = NonNullable<Awaited<ReturnType<typeof findTemplate>>>

/** The form that fits a person's language best, else that of the first language. */
export function compiledFor(compiled: Compiled, language: string | null | undefined): Compiled {
  const { translations } = compiled
  if (!translations) return compiled
  const tag = lookUpLanguage(translations, language)
  return (tag !== undefined && translations[tag]) || compiled
}

/** A form for each language. The first language has no tag. */
export function everyLanguage(compiled: Compiled): { language?: string; compiled: Compiled }[] {
  const others = Object.entries(compiled.translations ?? {})
  return [
    { compiled },
    ...others.map(([language, translation]) => ({ language, compiled: translation })),
  ]
}

/** The names that the sending call has to provide, in any of the languages. */
export function neededIn(compiled: Compiled): string[] {
  const names = everyLanguage(compiled).flatMap((entry) => entry.compiled.variables)
  return neededVariables([...new Set(names)])
}
