/** Statements about the public archive of a business. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Archive } from './business.ts'

export function findArchive(db: Db, id: Id<'business'>): Promise<Archive | undefined> {
  return db.maybe(sql`
    select name, language, colour, jsonb_build_object('font', brand -> 'font', 'radius', brand -> 'radius',
        'logo', brand #> '{logo,file}', 'darkLogo', brand #> '{logo,dark_file}',
        'words', brand -> 'words') as look, time_zone as "timeZone", postal_address as "postalAddress",
      archive ->> 'title' as title, archive ->> 'description' as description,
      archive ->> 'form_id' as "formId",
      settings_version as "settingsVersion",
      greatest(updated_at, archive_changed_at) as "changedAt"
    from businesses where id = ${id} and archive @> '{"on": true}' and closed_at is null
  `)
}

export function updateArchiveChanged(db: Db, id: Id<'business'>, now: Date): Promise<number> {
  return db.run(sql`update businesses set archive_changed_at = ${now} where id = ${id}`)
}

/** Whether a form of this business has this id. */
export async function isFormOf(db: Db, id: Id<'business'>, formId: Id<'form'>): Promise<boolean> {
  const found = await db.maybe(
    sql`select 1 from forms where business_id = ${id} and id = ${formId}`,
  )
  return found !== undefined
}
