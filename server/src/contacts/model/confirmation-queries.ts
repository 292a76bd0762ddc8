/** Every statement that touches confirmations of consent. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Confirmation, NewConfirmation } from './confirmation.ts'

/** A confirmation that is open already is updated to the latest request. Returns the open one. */
export function insertConfirmation(
  tx: Tx,
  one: NewConfirmation,
  now: Date,
): Promise<{ id: Id<'confirmation'>; isNew: boolean }> {
  return tx.one(sql`
    insert into confirmations (business_id, id, contact_id, address, topics, source, text, ip,
      agent, page, form_version, box, language, form_id, unproven, made_contact, left_at,
      connection_id, call_id, asked_at, created_at)
    values (${one.businessId}, ${one.id}, ${one.contactId}, ${one.address}, ${one.topics},
      ${one.source}, ${one.text}, ${one.ip}, ${one.agent},
      ${one.page}, ${one.formVersion}, ${one.box}, ${one.language}, ${one.formId}, ${one.unproven},
      ${one.madeContact}, ${one.leftAt}, ${one.connectionId}, ${one.callId}, ${now}, ${now})
    on conflict (business_id, contact_id) where confirmed_at is null and ended_at is null
    do update set address = excluded.address, topics = excluded.topics, source = excluded.source,
      text = excluded.text, ip = excluded.ip, agent = excluded.agent,
      page = excluded.page, form_version = excluded.form_version, box = excluded.box, language = excluded.language,
      form_id = excluded.form_id, unproven = excluded.unproven, released_at = null,
      left_at = coalesce(excluded.left_at, confirmations.left_at),
      connection_id = excluded.connection_id, call_id = excluded.call_id,
      asked_at = excluded.asked_at
    returning id, xmax = 0 as "isNew"
  `)
}

/**
 * Does the same for an erased person, who has no contact. A confirmation that is open already is
 * updated to the latest request.
 */
export function insertReturn(
  tx: Tx,
  one: NewConfirmation,
  now: Date,
): Promise<{ id: Id<'confirmation'>; isNew: boolean }> {
  return tx.one(sql`
    insert into confirmations (business_id, id, contact_id, address, topics, source, text, ip,
      agent, page, form_version, box, language, form_id, unproven, made_contact, connection_id, call_id,
      is_return,
      asked_at, created_at)
    values (${one.businessId}, ${one.id}, ${one.contactId}, ${one.address}, ${one.topics},
      ${one.source}, ${one.text}, ${one.ip}, ${one.agent}, ${one.page}, ${one.formVersion},
      ${one.box}, ${one.language}, ${one.formId}, ${one.unproven}, true, ${one.connectionId}, ${one.callId}, true, ${now}, ${now})
    on conflict (business_id, address) where is_return and confirmed_at is null and ended_at is null
    do update set topics = excluded.topics, source = excluded.source, text = excluded.text,
      ip = excluded.ip, agent = excluded.agent, page = excluded.page,
      form_version = excluded.form_version, box = excluded.box, language = excluded.language,
      form_id = excluded.form_id, unproven = excluded.unproven, released_at = null,
      connection_id = excluded.connection_id, call_id = excluded.call_id,
      asked_at = excluded.asked_at
    returning id, xmax = 0 as "isNew"
  `)
}

const columns = sql`
  id, contact_id as "contactId", address, topics, source, text, host(ip) as ip, agent,
  page, form_version as "formVersion", box, language,
  form_id as "formId", unproven, released_at as "releasedAt",
  made_contact as "madeContact", left_at as "leftAt", is_return as "isReturn", connection_id as "connectionId", call_id as "callId",
  asked_at as "askedAt", created_at as "createdAt", mailed_at as "mailedAt",
  reminded_at as "remindedAt", confirmed_at as "confirmedAt", ended_at as "endedAt"
`

export function findConfirmation(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
): Promise<Confirmation | undefined> {
  return db.maybe(sqlWithin`
    select ${columns} from confirmations where business_id = ${businessId} and id = ${id}
  `)
}

/** Reads the confirmation, and locks it until the transaction ends. */
export function lockConfirmation(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
): Promise<Confirmation | undefined> {
  return tx.maybe(sqlWithin`
    select ${columns} from confirmations where business_id = ${businessId} and id = ${id}
    for update
  `)
}

export function markMailed(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
  { at, isReminder }: { at: Date; isReminder: boolean },
): Promise<number> {
  return tx.run(sql`
    update confirmations set
      mailed_at = case when ${isReminder}::boolean then mailed_at else ${at}::timestamptz end,
      held_at = null,
      reminded_at = case when ${isReminder}::boolean then ${at}::timestamptz else reminded_at end
    where business_id = ${businessId} and id = ${id}
  `)
}

export interface Confirmed {
  at: Date
  ip: string | null
  agent: string | null
}

export function markConfirmed(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
  { at, ip, agent }: Confirmed,
): Promise<number> {
  return tx.run(sql`
    update confirmations set confirmed_at = ${at}, confirmed_ip = ${ip}, confirmed_agent = ${agent}
    where business_id = ${businessId} and id = ${id}
  `)
}

export function markEnded(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
  at: Date,
): Promise<number> {
  return tx.run(sql`
    update confirmations set ended_at = ${at} where business_id = ${businessId} and id = ${id}
  `)
}

/** Whether the contact is known for anything besides the request to confirm. */
export async function isKnownOtherwise(
  db: Db,
  businessId: Id<'business'>,
  contactId: Id<'contact'>,
): Promise<boolean> {
  const { known } = await db.one<{ known: boolean }>(sql`
    select exists (
        select from contacts where business_id = ${businessId} and id = ${contactId}
          and (sms_consent <> 'none' or phone is not null)
      ) or exists (
        select from own_events where business_id = ${businessId} and contact_id = ${contactId}
      ) or exists (
        select from contact_activity a
        where a.business_id = ${businessId} and a.contact_id = ${contactId}
          and a.type in ('contact.updated', 'text.received')
      ) as known
  `)
  return known
}

/** Stores the contact that the person became, in place of the id that was reserved for it. */
export function setReturned(
  tx: Tx,
  businessId: Id<'business'>,
  { id, contactId }: { id: Id<'confirmation'>; contactId: Id<'contact'> },
): Promise<number> {
  return tx.run(sql`
    update confirmations set contact_id = ${contactId}
    where business_id = ${businessId} and id = ${id}
  `)
}

export function deleteConfirmation(
  tx: Tx,
  businessId: Id<'business'>,
  id: Id<'confirmation'>,
): Promise<number> {
  return tx.run(sql`
    delete from confirmations where business_id = ${businessId} and id = ${id}
  `)
}
