/** Statements that delete contacts, and that record former contacts. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { ContactValues } from '../contact.ts'

/** A contact that no longer exists. */
export interface FormerContact {
  /** The contact that it was merged into; null for an erased contact. */
  became: Id<'contact'> | null
}

export function findFormer(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'contact'>,
): Promise<FormerContact | undefined> {
  return db.maybe<FormerContact>(sql`
    select became from former_contacts where business_id = ${businessId} and id = ${id}
  `)
}

export interface MergedAway {
  businessId: Id<'business'>
  id: Id<'contact'>
  became: Id<'contact'>
}

/** Contacts that were merged into this one before now belong to the contact it was merged into. */
export function insertMerged(tx: Tx, { businessId, id, became }: MergedAway, now: Date) {
  return tx.run(sql`
    with inherited as (
      update former_contacts set became = ${became}
      where business_id = ${businessId} and became = ${id}
    )
    insert into former_contacts (business_id, id, became, ended_at)
    values (${businessId}, ${id}, ${became}, ${now})
  `)
}

/** Contacts that are gone for good, and with each those that were merged into it. */
export function insertGone(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
  now: Date,
): Promise<number> {
  return tx.run(sql`
    with inherited as (
      update former_contacts set became = null
      where business_id = ${businessId} and became = any(${contactIds}::uuid[])
    )
    insert into former_contacts (business_id, id, became, ended_at)
    select ${businessId}, id, null, ${now}::timestamptz from unnest(${contactIds}::uuid[]) as id
  `)
}

/** The ids of contacts that were merged into these. */
export async function idsMergedInto(
  db: Db,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<Id<'contact'>[]> {
  const rows = await db.all<{ id: Id<'contact'> }>(sql`
    select id from former_contacts
    where business_id = ${businessId} and became = any(${contactIds}::uuid[])
  `)
  return rows.map((row) => row.id)
}

export interface Ended extends Pick<ContactValues, 'attributes' | 'tags'> {
  id: Id<'contact'>
}

/** Only `endContacts` may call this, because it also updates the field catalogue. */
export function deleteContacts(
  tx: Tx,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<Ended[]> {
  return tx.all(sql`
    delete from contacts where business_id = ${businessId} and id = any(${contactIds}::uuid[])
    returning id, attributes, tags
  `)
}

/**
 * Contacts that got an erased person's address at the moment when it became free. If the hash of
 * the address is lifted, the person has returned themself, and the contact stays.
 */
export function findByAddress(
  tx: Tx,
  businessId: Id<'business'>,
  addresses: readonly string[],
): Promise<{ id: Id<'contact'> }[]> {
  return tx.all(sql`
    select id from contacts c
    where business_id = ${businessId}
      and (email = any(${addresses}::text[]) or phone = any(${addresses}::text[]))
      and (coalesce(c.email_mark, c.phone_mark) is null or exists (
        select from suppressions s
        where s.business_id = ${businessId} and s.reason = 'erased'
          and ((s.channel = 'email' and s.address_hmac = c.email_mark)
            or (s.channel = 'sms' and s.address_hmac = c.phone_mark))
      ))
    for update
  `)
}

export function deleteHistory(tx: Tx, businessId: Id<'business'>, ids: readonly Id<'contact'>[]) {
  return tx.run(sql`
    with ledger as (
      delete from consent_events
      where business_id = ${businessId} and contact_id = any(${ids}::uuid[])
    ), asked as (
      delete from confirmations
      where business_id = ${businessId} and contact_id = any(${ids}::uuid[])
    ), own as (
      delete from own_events
      where business_id = ${businessId} and contact_id = any(${ids}::uuid[])
    )
    delete from contact_activity
    where business_id = ${businessId} and contact_id = any(${ids}::uuid[])
  `)
}

export function moveHistory(
  tx: Tx,
  businessId: Id<'business'>,
  from: Id<'contact'>,
  to: Id<'contact'>,
): Promise<number> {
  return tx.run(sql`
    with ledger as (
      update consent_events set contact_id = ${to}
      where business_id = ${businessId} and contact_id = ${from}
    ), asked as (
      update confirmations c set contact_id = ${to}
      where c.business_id = ${businessId} and c.contact_id = ${from} and not exists (
        select from confirmations o
        where o.business_id = ${businessId} and o.contact_id = ${to}
          and o.confirmed_at is null and o.ended_at is null
      )
    ), own as (
      update own_events set contact_id = ${to}
      where business_id = ${businessId} and contact_id = ${from}
    )
    update contact_activity set contact_id = ${to}
    where business_id = ${businessId} and contact_id = ${from}
  `)
}
