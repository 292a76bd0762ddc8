/** The current version of a template, for domains that send it. */

import type { Id } from '../core/ids.ts'
import { setNewest } from '../lib/concurrency/set-newest.ts'
import type { Db } from '../lib/db/types.ts'
import type { Compiled } from './compile.ts'
import { emptySlotsIn } from './gallery/empty-slots.ts'
import { isMarketing } from './gallery/gallery.ts'
import { findKey, findTemplate, findVersion } from './queries.ts'
import type { TemplateChannel, TemplateSource } from './source.ts'

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

export type ReadCompiled = (
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

/** A template with its content, for a domain that takes it over. */
export const wholeTemplate: typeof findTemplate = (db, businessId, id) =>
  findTemplate(db, businessId, id)
export type WholeTemplate = NonNullable<Awaited<ReturnType<typeof findTemplate>>>
