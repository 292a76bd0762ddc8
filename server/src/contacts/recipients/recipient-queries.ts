/** Statements that find the recipients of messages. */

import type { Id } from '../../core/ids.ts'
import { replanned, sql } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Db } from '../../lib/db/types.ts'
import { covers } from '../consent/covers.ts'
import type { Channel, ConsentStatus, Contact } from '../contact.ts'
import type { AddressHash, NewAddress } from '../suppressions/suppression.ts'

export interface RecipientQuery {
  businessId: Id<'business'>
  channel: Channel
  /** Either this or the address is set. */
  contactId: Id<'contact'> | null
  address: string | null
  /** The topic of the message; null for none. */
  topic: string | null
}

export interface FoundRecipient {
  /** The index of the query that this row answers, from 1. */
  place: number
  contactId: Id<'contact'>
  /** The contact's address on the requested channel. */
  address: string | null
  consent: ConsentStatus
  /** Whether the contact's choices cover a message about the topic, or about none. */
  isCovered: boolean
}

/**
 * Looks up each one separately, with a plan made for this call, as in `contacts/saving/queries.ts`.
 */
export function findRecipients(db: Db, asked: RecipientQuery[]): Promise<FoundRecipient[]> {
  return db.all(
    replanned(sqlWithin`
      select asked.place::int as place, c.id as "contactId",
        case asked.channel when 'sms' then c.phone else c.email end as address,
        case asked.channel when 'sms' then c.sms_consent else c.email_consent end as consent,
        ${covers({ channel: sql`asked.channel`, topic: sql`asked.topic` })} as "isCovered"
      from unnest(
        ${asked.map((query) => query.businessId)}::uuid[],
        ${asked.map((query) => query.contactId)}::uuid[],
        ${asked.map((query) => (query.channel === 'email' ? query.address : null))}::text[],
        ${asked.map((query) => (query.channel === 'sms' ? query.address : null))}::text[],
        ${asked.map((query) => query.channel)}::text[],
        ${asked.map((query) => query.topic)}::text[]
      ) with ordinality as asked (business_id, contact_id, email, phone, channel, topic, place)
      cross join lateral (
        select id, email, phone, email_consent, sms_consent, topics from contacts
        where business_id = asked.business_id and id = asked.contact_id
        union all
        select id, email, phone, email_consent, sms_consent, topics from contacts
        where business_id = asked.business_id and email = asked.email collate "C"
        union all
        select id, email, phone, email_consent, sms_consent, topics from contacts
        where business_id = asked.business_id and phone = asked.phone collate "C"
        limit 1
      ) c
    `),
  )
}

/** Which of the addresses are suppressed in their business, and why. */
export function findSuppressedHashes(
  db: Db,
  marks: NewAddress[],
): Promise<(AddressHash & { reason: string })[]> {
  return db.all(sql`
    with asked (business_id, channel, mark, address) as (
      select * from unnest(
        ${marks.map((mark) => mark.businessId)}::uuid[],
        ${marks.map((mark) => mark.channel)}::text[],
        ${marks.map((mark) => mark.mark)}::bytea[],
        ${marks.map((mark) => mark.address)}::text[]
      )
    )
    select asked.business_id as "businessId", asked.channel, asked.mark, s.reason
    from asked
    join suppressions s on s.business_id = asked.business_id and s.channel = asked.channel
      and s.address_hmac = asked.mark
    union all
    select asked.business_id, asked.channel, asked.mark, h.reason
    from asked
    join suppressed_hashes h on h.business_id = asked.business_id
      and h.sha256 = sha256(convert_to(asked.address, 'UTF8'))
    where h.address_hmac is null
  `)
}

export interface ContactKey {
  businessId: Id<'business'>
  contactId: Id<'contact'>
}

/** The data about its recipient that a message may contain. */
export type Person = Pick<Contact, 'email' | 'phone' | 'name' | 'language' | 'attributes' | 'tags'>

export function findPeople(db: Db, keys: ContactKey[]): Promise<(Person & { place: number })[]> {
  return db.all(sql`
    select asked.place::int as place, c.email, c.phone, c.name, c.language, c.attributes, c.tags
    from unnest(
      ${keys.map((key) => key.businessId)}::uuid[], ${keys.map((key) => key.contactId)}::uuid[]
    ) with ordinality as asked (business_id, contact_id, place)
    join contacts c on c.business_id = asked.business_id and c.id = asked.contact_id
  `)
}
