/** The public archive of a business: a page of its sent campaigns, and a feed. */
import type { Id } from '../../core/ids.ts'
import { formatId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Archive } from './business.ts'

/** Undefined also where the business keeps its archive off. */
export function archiveOf(db: Db, id: Id<'business'>): Promise<Archive | undefined> {
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

/** Notes that other campaigns are in the archive than before, for programs that read its feed. */
export async function noteArchiveChange(tx: Tx, id: Id<'business'>, now: Date): Promise<void> {
  await tx.run(sql`update businesses set archive_changed_at = ${now} where id = ${id}`)
}

/** Whether a form of this business has this id: the archive's page leads to one. */
export async function isFormOf(db: Db, id: Id<'business'>, formId: Id<'form'>): Promise<boolean> {
  const row = await db.maybe(sql`select 1 from forms where business_id = ${id} and id = ${formId}`)
  return row !== undefined
}

/** `base` is the address under which the business's public pages are. */
export function archiveUrl(base: string, id: Id<'business'>): string {
  return `${base}/archive/${formatId('business', id)}`
}
