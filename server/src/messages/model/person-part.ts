import type { PersonPage, PersonPart, PersonRow } from '../../contacts/exporting/person-part.ts'
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'

export const messagePersonPart: PersonPart = {
  name: 'messages',
  tables: ['messages', 'message_contents', 'message_events', 'link_visits'],
  page: (db, { businessId, contact }, page) =>
    messageRows(db, { businessId, id: contact.id }, page),
}

/** The messages to one person, with their content, their outcomes, and the person's opens. */
function messageRows(
  db: Db,
  { businessId, id }: { businessId: Id<'business'>; id: Id<'contact'> },
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select m.id::text as key,
      to_jsonb(m) - '{business_id,contact_id,recipient_mark,attempt_id,job_shard,job_id,connection_id,call_id}'::text[]
        || jsonb_build_object(
          'content', (
            select to_jsonb(c) - '{business_id,message_id}'::text[] from message_contents c
            where c.business_id = ${businessId} and c.message_id = m.id
          ),
          'events', (
            select jsonb_agg(to_jsonb(e) - '{business_id,message_id}'::text[] order by e.created_at)
            from message_events e where e.business_id = ${businessId} and e.message_id = m.id
          ),
          'visits', (
            select jsonb_agg(to_jsonb(v) - '{business_id,message_id,link_hash,visitor}'::text[]
              order by v.visited_at)
            from link_visits v where v.business_id = ${businessId} and v.message_id = m.id
          )
        ) as row
    from messages m
    where m.business_id = ${businessId} and m.contact_id = ${id} and m.id::text > ${after}
    order by m.id::text limit ${limit}
  `)
}
