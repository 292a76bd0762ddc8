import type { PersonPage, PersonPart, PersonRow } from '../../contacts/exporting/person-part.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export const recipientPersonPart: PersonPart = {
  name: 'campaigns',
  tables: ['campaign_recipients', 'campaign_link_people'],
  page: (db, { businessId, contact }, page) =>
    recipientRows(db, { businessId, id: contact.id }, page),
}

/** The campaigns that one person was in, with the links that they followed. */
function recipientRows(
  db: Db,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'contact'> },
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select r.campaign_id::text as key,
      to_jsonb(r) - '{business_id,contact_id,marks,in_doubt}'::text[] || jsonb_build_object(
        'links', (
          select jsonb_agg(jsonb_build_object('url', l.url, 'machine', p.machine))
          from campaign_link_people p
          left join campaign_links l on l.business_id = ${businessId}
            and l.campaign_id = p.campaign_id and l.url_hash = p.url_hash
          where p.business_id = ${businessId} and p.campaign_id = r.campaign_id
            and p.contact_id = r.contact_id
        )
      ) as row
    from campaign_recipients r
    where r.business_id = ${businessId} and r.contact_id = ${id} and r.campaign_id::text > ${after}
    order by r.campaign_id::text limit ${limit}
  `)
}
