/**
 * The columns of a contact, and the statements on whole contacts that several files share: locking,
 * updating and finding them. A set of people takes one statement of each kind, whatever its size. The
 * insert is in `save.ts`, the statements of lists in `search.ts`.
 */

import { randomUUID } from 'node:crypto'
import type { Id } from '../core/ids.ts'
import { byteStrings, ids, longTexts, replanned, sql, sqlWithin, texts } from '../lib/db/db.ts'
import type { Db, Sql, Tx } from '../lib/db/types.ts'
import type { ConsentStatus, Contact, ContactSource, ContactValues } from './contact.ts'

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

/** Does the same by the business's own id of a person. */
export function lockByExternalId(tx: Tx, externalIds: Address[]): Promise<StoredContact[]> {
  return lock(
    tx,
    sqlWithin`
      select c.business_id as "businessId", c.id, c.returned_at as "returnedAt", ${changeableColumns}
      from unnest(
        ${ids(externalIds.map((externalId) => externalId.businessId))}::uuid[],
        ${texts(externalIds.map((externalId) => externalId.address))}::text[]
      ) as asked (business_id, address)
      cross join lateral (
        select * from contacts
        where business_id = asked.business_id and external_id = asked.address collate "C"
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
  const [contact] = await lock(
    tx,
    sqlWithin`
      select business_id as "businessId", id, returned_at as "returnedAt", ${changeableColumns}
      from contacts
      where business_id = ${businessId} and id = ${id} for no key update
    `,
  )
  return contact
}

interface LockedRow extends Omit<StoredContact, 'consent' | 'pendingSince'> {
  email_consent: ConsentStatus
  sms_consent: ConsentStatus
  tracking_consent: ConsentStatus
}

async function lock(tx: Tx, statement: Sql): Promise<StoredContact[]> {
  const rows = await tx.all<LockedRow>(replanned(statement))
  const departures = await pendingReturns(tx, rows)
  return rows.map(
    ({ email_consent: email, sms_consent: sms, tracking_consent: tracking, ...row }) => ({
      ...row,
      consent: { email, sms, tracking },
      pendingSince: departures.get(row.id) ?? null,
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
  const departures = new Map<Id<'contact'>, Date>()
  for (const [businessId, contacts] of Map.groupBy(pending, (row) => row.businessId)) {
    const leavers = await tx.all<{ id: Id<'contact'>; leftAt: Date }>(sql`
      select contact_id as id, left_at as "leftAt" from confirmations
      where business_id = ${businessId} and contact_id = any(${contacts.map(({ id }) => id)}::uuid[])
        and confirmed_at is null and ended_at is null and left_at is not null
    `)
    for (const { id, leftAt } of leavers) departures.set(id, leftAt)
  }
  return departures
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

/** The columns that a change may write. */
export const changeableColumns = sql`
  email, phone, external_id, name, first_name, last_name, language, attributes, tags,
  email_consent, sms_consent, tracking_consent, topics
`

/** The same columns of the rows of `newRows`, which are named `new`. */
const changeableColumnsOfNew = sql`
  new.email, new.phone, new.external_id, new.name, new.first_name, new.last_name, new.language, new.attributes,
  new.tags, new.email_consent, new.sms_consent, new.tracking_consent, new.topics
`

/** All columns of a `Contact`. */
export const contactColumns = sqlWithin`
  id, ${changeableColumns}, json_build_object('email', email_consent, 'sms', sms_consent,
    'tracking', tracking_consent) as consent,
  source, created_at as "createdAt", updated_at as "updatedAt"
`

export interface ContactRow extends ContactValues {
  businessId: Id<'business'>
  id: Id<'contact'>
  /**
   * Hashes of its new addresses, by which suppressions know them; null where an address is
   * unchanged.
   */
  emailMark: Buffer | null
  phoneMark: Buffer | null
  /** The source of a new contact. */
  source?: ContactSource | undefined
}

/**
 * Rows to add or to change. The tags of each are passed as one text, because arrays of arrays do not
 * survive `unnest`. (A cast to an array would be a STABLE function, which a distributed database
 * does not take in an update.)
 */
export function newRows(rows: readonly ContactRow[]): Sql {
  const separator = separatorOf(rows)
  return sql`
    select business_id, id, email, phone, external_id, name, first_name, last_name, language, attributes::jsonb,
      string_to_array(tags, ${separator}) as tags,
      email_consent, sms_consent, tracking_consent, topics::jsonb, source, email_mark, phone_mark
    from unnest(
      ${ids(rows.map((row) => row.businessId))}::uuid[],
      ${ids(rows.map((row) => row.id))}::uuid[],
      ${texts(rows.map((row) => row.email))}::text[],
      ${texts(rows.map((row) => row.phone))}::text[],
      ${texts(rows.map((row) => row.external_id))}::text[],
      ${texts(rows.map((row) => row.name))}::text[],
      ${texts(rows.map((row) => row.first_name))}::text[],
      ${texts(rows.map((row) => row.last_name))}::text[],
      ${texts(rows.map((row) => row.language))}::text[],
      ${longTexts(rows.map((row) => JSON.stringify(row.attributes)))}::text[],
      ${texts(rows.map((row) => row.tags.join(separator)))}::text[],
      ${texts(rows.map((row) => row.consent.email))}::text[],
      ${texts(rows.map((row) => row.consent.sms))}::text[],
      ${texts(rows.map((row) => row.consent.tracking))}::text[],
      ${texts(rows.map((row) => JSON.stringify(row.topics)))}::text[],
      ${texts(rows.map((row) => row.source ?? null))}::text[],
      ${byteStrings(rows.map((row) => row.emailMark))}::bytea[],
      ${byteStrings(rows.map((row) => row.phoneMark))}::bytea[]
    ) as given (business_id, id, email, phone, external_id, name, first_name, last_name, language, attributes,
      tags, email_consent, sms_consent, tracking_consent, topics, source, email_mark, phone_mark)
  `
}

/** What none of the tags contains: a line break or, where one has that, what nobody can guess. */
const separatorOf = (rows: readonly ContactRow[]): string =>
  rows.some(({ tags }) => tags.some((tag) => tag.includes('\n'))) ? `\n${randomUUID()}\n` : '\n'

export function findContact(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'contact'>,
): Promise<Contact | undefined> {
  return db.maybe(sqlWithin`
    select ${contactColumns} from contacts where business_id = ${businessId} and id = ${id}
  `)
}

export function findByEmail(
  db: Db,
  businessId: Id<'business'>,
  email: string,
): Promise<Pick<Contact, 'id'> | undefined> {
  return db.maybe(sql`
    select id from contacts where business_id = ${businessId} and email = ${email} collate "C"
  `)
}

/** Finds a contact by one of the values of which each belongs to one contact. */
export function findContactBy(
  db: Db,
  businessId: Id<'business'>,
  key: { email: string } | { external_id: string },
): Promise<Contact | undefined> {
  const isNamed =
    'email' in key
      ? sql`email = ${key.email} collate "C"`
      : sql`external_id = ${key.external_id} collate "C"`
  return db.maybe(sqlWithin`
    select ${contactColumns} from contacts where business_id = ${businessId} and ${isNamed}
  `)
}

/** Finds the contact that another one was merged into, by the id of the merged one. */
export function findMergedInto(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'contact'>,
): Promise<Contact | undefined> {
  return db.maybe(sqlWithin`
    select ${contactColumns} from contacts where business_id = ${businessId} and id = (
      select became from former_contacts where business_id = ${businessId} and id = ${id}
    )
  `)
}
