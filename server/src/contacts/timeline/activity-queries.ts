/** Statements about the timeline. */

import type { Id } from '../../core/ids.ts'
import { highestId, type Page } from '../../core/paging.ts'
import { ids, longTexts, texts } from '../../lib/db/columns.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Channel } from '../contact.ts'

export interface ActivityRow {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  id: Id<'activity'>
  type: string
  /** JSON text. */
  details: string
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

/** What an activity was about, in the columns that filters use. */
export interface Subject {
  messageId: Id<'message'> | null
  /** The campaign of the message. */
  campaignId: Id<'campaign'> | null
  channel: Channel | null
  formId: Id<'form'> | null
  /** A hash of the clicked link (`linkHashOf`). */
  linkHash: Buffer | null
  /** Whether an open or a click was made by a machine rather than a person. */
  machine: boolean | null
}

export type SubjectRow = ActivityRow & Subject

/** Inserts activity about contacts themselves, which has no further subject. */
export function insertActivity(tx: Tx, rows: ActivityRow[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into contact_activity (business_id, contact_id, id, type, details, connection_id,
      call_id, created_at)
    select business_id, contact_id, id, type, details::json, connection_id, call_id, ${now}
    from unnest(
      ${ids(rows.map((row) => row.businessId))}::uuid[],
      ${ids(rows.map((row) => row.contactId))}::uuid[],
      ${ids(rows.map((row) => row.id))}::uuid[],
      ${texts(rows.map((row) => row.type))}::text[],
      ${longTexts(rows.map((row) => row.details))}::text[],
      ${ids(rows.map((row) => row.connectionId))}::uuid[],
      ${ids(rows.map((row) => row.callId))}::uuid[]
    ) as new (business_id, contact_id, id, type, details, connection_id, call_id)
  `)
}

export function insertWithSubjects(tx: Tx, rows: SubjectRow[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into contact_activity (business_id, contact_id, id, type, details, connection_id,
      call_id, message_id, campaign_id, channel, form_id, link_hash, machine, created_at)
    select business_id, contact_id, id, type, details::json, connection_id, call_id, message_id,
      campaign_id, channel, form_id, link_hash, machine, ${now}
    from unnest(
      ${ids(rows.map((row) => row.businessId))}::uuid[],
      ${ids(rows.map((row) => row.contactId))}::uuid[],
      ${ids(rows.map((row) => row.id))}::uuid[],
      ${texts(rows.map((row) => row.type))}::text[],
      ${longTexts(rows.map((row) => row.details))}::text[],
      ${ids(rows.map((row) => row.connectionId))}::uuid[],
      ${ids(rows.map((row) => row.callId))}::uuid[],
      ${ids(rows.map((row) => row.messageId))}::uuid[],
      ${ids(rows.map((row) => row.campaignId))}::uuid[],
      ${texts(rows.map((row) => row.channel))}::text[],
      ${ids(rows.map((row) => row.formId))}::uuid[],
      ${rows.map((row) => row.linkHash)}::bytea[],
      ${rows.map((row) => row.machine)}::boolean[]
    ) as new (business_id, contact_id, id, type, details, connection_id, call_id, message_id,
      campaign_id, channel, form_id, link_hash, machine)
  `)
}

export interface Activity extends Pick<Subject, 'messageId' | 'campaignId' | 'machine'> {
  id: Id<'activity'>
  type: string
  details: Record<string, unknown>
  createdAt: Date
}

/** Lists activity, newest first, including the business's own events about the contact. */
export function listActivity(
  db: Db,
  businessId: Id<'business'>,
  contactId: Id<'contact'>,
  { before, limit }: Page<'activity'>,
): Promise<Activity[]> {
  return db.all(sql`
    (
      select id, type, details, message_id as "messageId", campaign_id as "campaignId", machine,
        created_at as "createdAt"
      from contact_activity
      where business_id = ${businessId} and contact_id = ${contactId} and id < ${before ?? highestId}
      order by id desc limit ${limit}
    ) union all (
      select id, 'contact.event', json_strip_nulls(json_build_object('event', name,
        'value', value, 'currency', currency,
        'untrusted', json_build_object('properties', properties))), null, campaign_id, null,
        happened_at
      from own_events
      where business_id = ${businessId} and contact_id = ${contactId} and id < ${before ?? highestId}
      order by id desc limit ${limit}
    )
    order by id desc limit ${limit}
  `)
}
