/**
 * Statements that save contacts; those that read them are in `contacts/model/list-queries.ts`. A
 * set of people takes one statement of each kind, whatever its size.
 */

import type { Id } from '../core/ids.ts'
import { ids, texts } from '../lib/db/columns.ts'
import { replanned, sql } from '../lib/db/db.ts'
import { sqlWithin } from '../lib/db/sql-within.ts'
import type { Db, Sql, Tx } from '../lib/db/types.ts'
import type { ConsentStatus, ContactValues } from './contact.ts'
import {
  type ContactRow,
  changeableColumns,
  changeableColumnsOfNew,
  newRows,
} from './model/columns.ts'

/** A whole contact, locked until the transaction ends. */
export interface StoredContact extends ContactValues {
  businessId: Id<'business'>
  id: Id<'contact'>
  /** When the person came back after an erasure. */
  returnedAt: Date | null
  /** When the person left email, if a connection's call brought their consent to `pending`. */
  pendingSince: Date | null
}

export interface Address {
  businessId: Id<'business'>
  address: string
}

/**
 * Locks the contacts that have these email addresses, in the order given. Each address is looked up
 * separately (`lateral`), with a plan made for this call. Every index begins with the business, and
 * while the planner knows little about the table, every index looks as good as the right one. A
 * cached plan then read the whole business for each address.
 */
export function lockByEmail(tx: Tx, emails: Address[]): Promise<StoredContact[]> {
  return lock(
    tx,
    sqlWithin`
      select c.business_id as "businessId", c.id, c.returned_at as "returnedAt", ${changeableColumns}
      from unnest(
        ${ids(emails.map((email) => email.businessId))}::uuid[],
        ${texts(emails.map((email) => email.address))}::text[]
      ) as asked (business_id, address)
      cross join lateral (
        select * from contacts
        where business_id = asked.business_id and email = asked.address collate "C"
        limit 1 for no key update
      ) c
    `,
  )
}

/** Does the same by phone number. */
export function lockByPhone(tx: Tx, phones: Address[]): Promise<StoredContact[]> {
  return lock(
    tx,
    sqlWithin`
      select c.business_id as "businessId", c.id, c.returned_at as "returnedAt", ${changeableColumns}
      from unnest(
        ${ids(phones.map((phone) => phone.businessId))}::uuid[],
        ${texts(phones.map((phone) => phone.address))}::text[]
      ) as asked (business_id, address)
      cross join lateral (
        select * from contacts
        where business_id = asked.business_id and phone = asked.address collate "C"
        limit 1 for no key update
      ) c
    `,
  )
}

/** Locks one contact by its id. */
export async function lockById(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'contact'>,
): Promise<StoredContact | undefined> {
  const [found] = await lock(
    tx,
    sqlWithin`
      select business_id as "businessId", id, returned_at as "returnedAt", ${changeableColumns}
      from contacts
      where business_id = ${businessId} and id = ${id} for no key update
    `,
  )
  return found
}

interface LockedRow extends Omit<StoredContact, 'consent' | 'pendingSince'> {
  email_consent: ConsentStatus
  sms_consent: ConsentStatus
  tracking_consent: ConsentStatus
}

async function lock(tx: Tx, statement: Sql): Promise<StoredContact[]> {
  const rows = await tx.all<LockedRow>(replanned(statement))
  const left = await pendingReturns(tx, rows)
  return rows.map(
    ({ email_consent: email, sms_consent: sms, tracking_consent: tracking, ...row }) => ({
      ...row,
      consent: { email, sms, tracking },
      pendingSince: left.get(row.id) ?? null,
    }),
  )
}

/**
 * When those contacts left that a connection's call brought to `pending`. Read once they are
 * locked: the statement that waited for the lock does not see what its holder wrote elsewhere.
 */
async function pendingReturns(
  tx: Tx,
  rows: readonly LockedRow[],
): Promise<ReadonlyMap<Id<'contact'>, Date>> {
  const pending = rows.filter((row) => row.email_consent === 'pending')
  const left = new Map<Id<'contact'>, Date>()
  for (const [businessId, contacts] of Map.groupBy(pending, (row) => row.businessId)) {
    const found = await tx.all<{ id: Id<'contact'>; leftAt: Date }>(sql`
      select contact_id as id, left_at as "leftAt" from confirmations
      where business_id = ${businessId} and contact_id = any(${contacts.map(({ id }) => id)}::uuid[])
        and confirmed_at is null and ended_at is null and left_at is not null
    `)
    for (const { id, leftAt } of found) left.set(id, leftAt)
  }
  return left
}

/**
 * Inserts contacts and returns the ids of those inserted. A contact is left out if its address is
 * taken or erased.
 */
export async function insertContacts(
  tx: Tx,
  rows: ContactRow[],
  now: Date,
): Promise<Id<'contact'>[]> {
  const inserted = await tx.all<{ id: Id<'contact'> }>(
    sqlWithin`${insertion(rows, now)} returning id`,
  )
  return inserted.map(({ id }) => id)
}

/**
 * Inserts all rows without waiting for the result. If a row cannot be inserted, the statement divides
 * by zero, and the transaction fails (`core/writes/group-commit.ts`).
 */
export async function insertOptimistic(tx: Tx, rows: ContactRow[], now: Date): Promise<void> {
  await tx.pipelined.run(sqlWithin`
    with added as (${insertion(rows, now)} returning 1)
    select 1 / (count(*) = ${rows.length})::int as enough from added
  `)
}

/**
 * With `offset 0` each address is looked up by its key. As a join, a plan made while there were few
 * suppressions compared each new contact with every suppression of all businesses.
 */
function insertion(rows: ContactRow[], now: Date): Sql {
  return sqlWithin`
      insert into contacts (business_id, id, ${changeableColumns}, source, email_mark, phone_mark,
        created_at, updated_at)
      select business_id, id, ${changeableColumns}, source, email_mark, phone_mark, ${now}::timestamptz,
        ${now}::timestamptz
      from (${newRows(rows)}) as new
      where not exists (
        select from suppressions s where s.business_id = new.business_id and s.channel = 'email'
          and s.address_hmac = new.email_mark and s.reason = 'erased' offset 0
      ) and not exists (
        select from suppressions s where s.business_id = new.business_id and s.channel = 'sms'
          and s.address_hmac = new.phone_mark and s.reason = 'erased' offset 0
      )
      on conflict do nothing
  `
}

export function updateContacts(tx: Tx, rows: ContactRow[], now: Date): Promise<number> {
  return tx.run(
    replanned(sqlWithin`
      update contacts c
      set (${changeableColumns}) = (${changeableColumnsOfNew}), updated_at = ${now},
        email_mark = case when c.email is not distinct from new.email then c.email_mark
          else new.email_mark end,
        phone_mark = case when c.phone is not distinct from new.phone then c.phone_mark
          else new.phone_mark end
      from (${newRows(rows)}) as new
      where c.business_id = new.business_id and c.id = new.id
    `),
  )
}

/**
 * Which of the addresses a contact has already; an address shows by its form whether it is an
 * email or a number.
 */
export function findTaken(db: Db, addresses: Address[]): Promise<Address[]> {
  return db.all(
    replanned(sql`
      select asked.business_id as "businessId", asked.address
      from unnest(
        ${addresses.map((address) => address.businessId)}::uuid[],
        ${addresses.map((address) => address.address)}::text[]
      ) as asked (business_id, address)
      where exists (
        select from contacts
        where business_id = asked.business_id and email = asked.address collate "C"
      ) or exists (
        select from contacts
        where business_id = asked.business_id and phone = asked.address collate "C"
      )
    `),
  )
}

/** Notes that the person came back after an erasure, at the latest of these moments. */
export function markReturned(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'contact'>,
  at: Date,
): Promise<number> {
  return tx.run(sql`
    update contacts set returned_at = greatest(returned_at, ${at}::timestamptz)
    where business_id = ${businessId} and id = ${id}
  `)
}
