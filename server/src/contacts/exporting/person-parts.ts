/** The data that `contacts` holds about one person. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import { suppressionsOf } from '../suppressions/suppression.ts'
import type { ExportedPerson, PersonPage, PersonPart, PersonRow } from './person-part.ts'

const whose = ({ businessId, contact }: ExportedPerson) => ({ businessId, id: contact.id })

export const contactPersonParts: readonly PersonPart[] = [
  {
    name: 'contact',
    tables: ['contacts'],
    page: async (db, person, { after }) => (after === '' ? contactRow(db, whose(person)) : []),
  },
  {
    name: 'former_contacts',
    tables: ['former_contacts'],
    page: (db, person, page) => formerRows(db, whose(person), page),
  },
  {
    name: 'consents',
    tables: ['consent_events'],
    page: (db, person, page) => consentRows(db, whose(person), page),
  },
  {
    name: 'confirmations',
    tables: ['confirmations'],
    page: (db, person, page) => confirmationRows(db, whose(person), page),
  },
  {
    name: 'suppressions',
    tables: ['suppressions'],
    async page(db, { businessId, contact, hmac }, { after }) {
      if (after !== '') return []
      const suppressions = await suppressionsOf(db, hmac, businessId, contact)
      return suppressions.map(({ channel, reason, source, createdAt }) => ({
        key: channel,
        row: { channel, reason, source, created_at: createdAt },
      }))
    },
  },
  {
    name: 'timeline',
    tables: ['contact_activity'],
    page: (db, person, page) => activityRows(db, whose(person), page),
  },
  {
    name: 'own_events',
    tables: ['own_events'],
    page: (db, person, page) => ownEventRows(db, whose(person), page),
  },
  {
    name: 'past',
    tables: ['contact_past'],
    page: (db, person, page) => pastRows(db, whose(person), page),
  },
]

interface PersonKey {
  businessId: Id<'business'>
  id: Id<'contact'>
}

function contactRow(db: Db, { businessId, id }: PersonKey): Promise<PersonRow[]> {
  return db.all(sql`
    select c.id::text as key,
      to_jsonb(c) - '{business_id,email_mark,phone_mark}'::text[] as row
    from contacts c where c.business_id = ${businessId} and c.id = ${id}
  `)
}

function formerRows(
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

function consentRows(
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

function confirmationRows(
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

function activityRows(
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

function pastRows(
  db: Db,
  { businessId, id }: PersonKey,
  { after }: PersonPage,
): Promise<PersonRow[]> {
  return db.all(sql`
    select p.contact_id::text as key, to_jsonb(p) - '{business_id,contact_id}'::text[] as row
    from contact_past p
    where p.business_id = ${businessId} and p.contact_id = ${id} and ${after} = ''
  `)
}

function ownEventRows(
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
