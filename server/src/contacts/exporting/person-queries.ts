/** Statements that read all rows about one contact, with every meaningful column. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { PersonPage, PersonRow } from './person-part.ts'

interface PersonKey {
  businessId: Id<'business'>
  id: Id<'contact'>
}

export function contactRow(db: Db, { businessId, id }: PersonKey): Promise<PersonRow[]> {
  return db.all(sql`
    select c.id::text as key,
      to_jsonb(c) - '{business_id,email_mark,phone_mark}'::text[] as row
    from contacts c where c.business_id = ${businessId} and c.id = ${id}
  `)
}

export function formerRows(
  db: Db,
  { businessId, id }: PersonKey,
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select f.id::text as key, to_jsonb(f) - '{business_id,became}'::text[] as row
    from former_contacts f
    where f.business_id = ${businessId} and f.became = ${id} and f.id::text > ${after}
    order by f.id::text limit ${limit}
  `)
}

export function consentRows(
  db: Db,
  { businessId, id }: PersonKey,
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select e.id::text as key,
      to_jsonb(e) - '{business_id,contact_id,connection_id,call_id}'::text[] as row
    from consent_events e
    where e.business_id = ${businessId} and e.contact_id = ${id} and e.id::text > ${after}
    order by e.id::text limit ${limit}
  `)
}

export function confirmationRows(
  db: Db,
  { businessId, id }: PersonKey,
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select o.id::text as key,
      to_jsonb(o) - '{business_id,contact_id,connection_id,call_id}'::text[] as row
    from confirmations o
    where o.business_id = ${businessId} and o.contact_id = ${id} and o.id::text > ${after}
    order by o.id::text limit ${limit}
  `)
}

export function activityRows(
  db: Db,
  { businessId, id }: PersonKey,
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select a.id::text as key,
      to_jsonb(a) - '{business_id,contact_id,connection_id,call_id,link_hash}'::text[] as row
    from contact_activity a
    where a.business_id = ${businessId} and a.contact_id = ${id} and a.id::text > ${after}
    order by a.id::text limit ${limit}
  `)
}

export function ownEventRows(
  db: Db,
  { businessId, id }: PersonKey,
  { after, limit }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select o.id::text as key,
      to_jsonb(o) - '{business_id,contact_id,connection_id,call_id,key}'::text[] as row
    from own_events o
    where o.business_id = ${businessId} and o.contact_id = ${id} and o.id::text > ${after}
    order by o.id::text limit ${limit}
  `)
}
