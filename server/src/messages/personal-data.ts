/** Messages by the person to whom they were sent: merged, erased, and shown to the person. */

import type { PersonPage, PersonPart, PersonRow } from '../contacts/exporting/person-part.ts'
import type { ErasedPerson, MergedContact, PersonalData } from '../contacts/personal-data.ts'
import type { Id } from '../core/ids.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'

/**
 * The messages of a contact. A message that is being sent finishes by itself: eligibility is
 * checked once more before it is sent, and an erased person gets nothing.
 */
export const messagePersonalData: PersonalData = {
  async move(tx, moved) {
    await moveMessages(tx, moved)
  },
  async forget(tx, erased, now) {
    await cancelScheduled(tx, erased, now)
    await blankMessages(tx, erased)
    return !(await hasOpenMessages(tx, erased))
  },
}

function moveMessages(tx: Tx, { businessId, from, to }: MergedContact): Promise<number> {
  return tx.run(sql`
    update messages set contact_id = ${to}
    where business_id = ${businessId} and contact_id = ${from}
  `)
}

/**
 * Cancels scheduled messages outside campaigns, whose time may be months away. Campaigns cancel
 * their own.
 */
function cancelScheduled(
  tx: Tx,
  { businessId, contactIds }: ErasedPerson,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update messages set state = 'cancelled', updated_at = ${now}
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
      and state = 'scheduled' and campaign_id is null
  `)
}

/**
 * Removes recipient, content and remote servers' replies from finished messages, and the
 * recipient's address from the header of copies that went to others.
 */
export function blankMessages(tx: Tx, { businessId, contactIds }: ErasedPerson): Promise<number> {
  return tx.run(sql`
    with blanked as (
      update messages set recipient = 'erased', labels = null
      where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
        and state in ('accepted', 'delivered', 'bounced', 'failed', 'unknown', 'suppressed',
          'cancelled')
        and recipient <> 'erased'
      returning id
    ), said as (
      delete from message_contents
      where business_id = ${businessId} and message_id = any(array(select id from blanked))
      returning message_id, copy_of
    ), original as (
      update message_contents set header_fields = header_fields - 'to' - 'cc'
      where business_id = ${businessId}
        and message_id = any(array(select copy_of from said where copy_of is not null))
        and message_id <> all(array(select message_id from said))
    ), copies as (
      update message_contents set header_fields = header_fields - 'to' - 'cc'
      where business_id = ${businessId}
        and copy_of = any(array(select coalesce(copy_of, message_id) from said))
        and message_id <> all(array(select message_id from said))
    )
    update message_events set words = null, url = null
    where business_id = ${businessId} and message_id = any(array(select id from blanked))
  `)
}

async function hasOpenMessages(tx: Tx, { businessId, contactIds }: ErasedPerson): Promise<boolean> {
  const message = await tx.maybe(sql`
    select 1 from messages
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
      and state in ('scheduled', 'queued', 'attempting', 'deferred')
    limit 1
  `)
  return message !== undefined
}

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
