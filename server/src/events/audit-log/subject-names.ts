/** What the things of the audit log are called now; what was deleted or erased has no name. */
import { type Id, type Noun, parseId } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

/** The names by the ids that entries have as their subject. */
export async function selectSubjectNames(
  db: Db,
  businessId: Id<'business'>,
  subjects: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const spelt = new Map<string, string>()
  const idsOf = (noun: Noun) =>
    subjects.flatMap((subject) => {
      const id = subject === null ? undefined : parseId(noun, subject)
      if (id === undefined || subject === null) return []
      spelt.set(id, subject)
      return [id]
    })
  const rows = await db.all<{ id: string; name: string | null }>(sql`
    select id, name from campaigns
    where business_id = ${businessId} and id = any(${idsOf('campaign')}::uuid[])
    union all
    select id, coalesce(name, email, phone) from contacts
    where business_id = ${businessId} and id = any(${idsOf('contact')}::uuid[])
    union all
    select id, name from templates
    where business_id = ${businessId} and id = any(${idsOf('template')}::uuid[])
    union all
    select id, name from forms
    where business_id = ${businessId} and id = any(${idsOf('form')}::uuid[])
    union all
    select id, name from segments
    where business_id = ${businessId} and id = any(${idsOf('segment')}::uuid[])
    union all
    select id, name from sequences
    where business_id = ${businessId} and id = any(${idsOf('sequence')}::uuid[])
    union all
    select id, name from feeds
    where business_id = ${businessId} and id = any(${idsOf('feed')}::uuid[])
    union all
    select id, file_name from imports
    where business_id = ${businessId} and id = any(${idsOf('import')}::uuid[])
    union all
    select id, url from webhooks
    where business_id = ${businessId} and id = any(${idsOf('webhook')}::uuid[])
    union all
    select id, name from api_keys
    where business_id = ${businessId} and id = any(${idsOf('connection')}::uuid[])
    union all
    select id, email from users where id = any(${idsOf('user')}::uuid[])
  `)
  return new Map(
    rows.flatMap(({ id, name }) => (name === null ? [] : [[spelt.get(id) ?? id, name]])),
  )
}
