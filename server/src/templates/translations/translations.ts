/** The translations of a template: as a call gives them, and which are older than the first language. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { TemplateSource } from '../source.ts'

/** Their tags. */
export async function outdatedIn(
  db: Db,
  businessId: Id<'business'>,
  { versionId, source }: { versionId: Id<'templateVersion'>; source: TemplateSource },
): Promise<string[]> {
  if (source.translations === undefined) return []
  const rows = await selectOutdated(db, businessId, versionId)
  return rows.map(({ tag }) => tag)
}

/** The newest versions that are compared. A change before them is not reported. */
const comparedVersions = 50

function selectOutdated(
  db: Db,
  businessId: Id<'business'>,
  versionId: Id<'templateVersion'>,
): Promise<{ tag: string }[]> {
  return db.all(sql`
    with current as (
      select template_id, version, source::jsonb - 'translations' as own,
        source::jsonb -> 'translations' as translations
      from template_versions where business_id = ${businessId} and id = ${versionId}
    ), former as materialized (
      select v.version, v.source::jsonb - 'translations' is distinct from current.own as "isOther",
        v.source::jsonb -> 'translations' as translations
      from current
      join template_versions v on v.business_id = ${businessId}
        and v.template_id = current.template_id and v.version < current.version
        and v.version >= current.version - ${comparedVersions}
    )
    select tag from current, jsonb_object_keys(current.translations) as tag
    where (select max(version) from former where "isOther") > coalesce(
      (select max(former.version) from former
        where former.translations -> tag is distinct from current.translations -> tag), 0)
    order by tag
  `)
}

/** A loose schema, like that of blocks. The server reads translations strictly (`read-translations.ts`). */
const translations = (description?: string) =>
  Type.Optional(
    Type.Unsafe<Record<string, unknown>>({
      type: 'object',
      ...(description !== undefined && { description }),
    }),
  )

export const translationsInput = translations(
  'By language: {"de":{"subject","html"}}; null removes.',
)

/** For callers who know `template.save`, which explains them. */
export const sameTranslationsInput = translations()
