/** Statements about the consent ledger: rows are added and read, nothing else. */

import type { Id } from '../../core/ids.ts'
import { ids, longTexts, texts } from '../../lib/db/columns.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { ConsentBasis, ConsentBox, ConsentStatus, ConsentSubject } from '../contact.ts'

export interface ConsentRow {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  id: Id<'consent'>
  channel: ConsentSubject
  /** The topic; null for the whole channel. */
  topic: string | null
  action: ConsentStatus
  source: string
  text: string | null
  ip: string | null
  agent: string | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  confirmationId: Id<'confirmation'> | null
  basis: ConsentBasis | null
  saidAt: Date | null
  page: string | null
  formVersion: number | null
  box: ConsentBox | null
}

export function insertConsents(tx: Tx, rows: ConsentRow[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into consent_events (business_id, contact_id, id, channel, topic, action, source, text, ip,
      agent, connection_id, call_id, confirmation_id, basis, said_at, page,
      form_version, box, created_at)
    select business_id, contact_id, id, channel, topic, action, source, text, ip, agent, connection_id,
      call_id, confirmation_id, basis, said_at, page, form_version, box, ${now}
    from unnest(
      ${ids(rows.map((row) => row.businessId))}::uuid[],
      ${ids(rows.map((row) => row.contactId))}::uuid[],
      ${ids(rows.map((row) => row.id))}::uuid[],
      ${texts(rows.map((row) => row.channel))}::text[],
      ${texts(rows.map((row) => row.topic))}::text[],
      ${texts(rows.map((row) => row.action))}::text[],
      ${texts(rows.map((row) => row.source))}::text[],
      ${longTexts(rows.map((row) => row.text))}::text[],
      ${texts(rows.map((row) => row.ip))}::inet[],
      ${texts(rows.map((row) => row.agent))}::text[],
      ${ids(rows.map((row) => row.connectionId))}::uuid[],
      ${ids(rows.map((row) => row.callId))}::uuid[],
      ${ids(rows.map((row) => row.confirmationId))}::uuid[],
      ${texts(rows.map((row) => row.basis))}::text[],
      ${rows.map((row) => row.saidAt)}::timestamptz[],
      ${longTexts(rows.map((row) => row.page))}::text[],
      ${rows.map((row) => row.formVersion)}::integer[],
      ${texts(rows.map((row) => row.box))}::text[]
    ) as new (business_id, contact_id, id, channel, topic, action, source, text, ip, agent,
      connection_id, call_id, confirmation_id, basis, said_at, page, form_version, box)
  `)
}

export interface Consent {
  channel: ConsentSubject
  topic: string | null
  action: ConsentStatus
  source: string
  text: string | null
  basis: ConsentBasis | null
  saidAt: Date | null
  page: string | null
  formVersion: number | null
  box: ConsentBox | null
  ip: string | null
  agent: string | null
  connectionId: Id<'connection'> | null
  createdAt: Date
  /** The confirmation by mail through which the person agreed; null if there was none. */
  confirmationId: Id<'confirmation'> | null
  mailedAt: Date | null
  confirmedAt: Date | null
  confirmedIp: string | null
  confirmedAgent: string | null
}

/** Lists the entries of all subjects, newest first. */
export function listConsents(
  db: Db,
  businessId: Id<'business'>,
  contactId: Id<'contact'>,
  limit: number,
): Promise<Consent[]> {
  return db.all(sql`
    select e.channel, e.topic, e.action, e.source, e.text, e.basis, e.said_at as "saidAt", e.page,
      e.form_version as "formVersion", e.box, host(e.ip) as ip, e.agent,
      e.connection_id as "connectionId", e.created_at as "createdAt",
      e.confirmation_id as "confirmationId", f.mailed_at as "mailedAt",
      f.confirmed_at as "confirmedAt", host(f.confirmed_ip) as "confirmedIp",
      f.confirmed_agent as "confirmedAgent"
    from consent_events e
    left join confirmations f on f.business_id = ${businessId} and f.id = e.confirmation_id
    where e.business_id = ${businessId} and e.contact_id = ${contactId}
    order by e.id desc limit ${limit}
  `)
}

export interface OptOut {
  contactId: Id<'contact'>
  channel: ConsentSubject
  topic: string | null
  at: Date
}

/** When each of the contacts last left a channel, or a topic of it. */
export function findOptOuts(
  db: Db,
  businessId: Id<'business'>,
  contactIds: readonly Id<'contact'>[],
): Promise<OptOut[]> {
  return db.all(sql`
    select contact_id as "contactId", channel, topic, max(created_at) as at from consent_events
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
      and action = 'unsubscribed'
    group by contact_id, channel, topic
  `)
}
