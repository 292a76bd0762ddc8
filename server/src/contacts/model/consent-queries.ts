/** Statements about the consent ledger: rows are added and read, nothing else. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Channel, ConsentStatus } from './contact.ts'

export interface ConsentRow {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  id: Id<'consent'>
  channel: Channel
  /** Null where it is about the whole channel. */
  topic: string | null
  action: ConsentStatus
  source: string
  text: string | null
  ip: string | null
  agent: string | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

export function insertConsents(tx: Tx, rows: ConsentRow[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into consent_events (business_id, contact_id, id, channel, topic, action, source, text, ip,
      agent, connection_id, call_id, created_at)
    select business_id, contact_id, id, channel, topic, action, source, text, ip, agent, connection_id,
      call_id, ${now}
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.contactId)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.channel)}::text[],
      ${rows.map((row) => row.topic)}::text[],
      ${rows.map((row) => row.action)}::text[],
      ${rows.map((row) => row.source)}::text[],
      ${rows.map((row) => row.text)}::text[],
      ${rows.map((row) => row.ip)}::inet[],
      ${rows.map((row) => row.agent)}::text[],
      ${rows.map((row) => row.connectionId)}::uuid[],
      ${rows.map((row) => row.callId)}::uuid[]
    ) as new (business_id, contact_id, id, channel, topic, action, source, text, ip, agent,
      connection_id, call_id)
  `)
}

export interface Consent {
  channel: Channel
  topic: string | null
  action: ConsentStatus
  source: string
  text: string | null
  ip: string | null
  agent: string | null
  connectionId: Id<'connection'> | null
  createdAt: Date
}

/** Lists entries of both channels, newest first. */
export function listConsents(
  db: Db,
  businessId: Id<'business'>,
  contactId: Id<'contact'>,
  limit: number,
): Promise<Consent[]> {
  return db.all(sql`
    select channel, topic, action, source, text, host(ip) as ip, agent,
      connection_id as "connectionId", created_at as "createdAt"
    from consent_events
    where business_id = ${businessId} and contact_id = ${contactId}
    order by id desc limit ${limit}
  `)
}
