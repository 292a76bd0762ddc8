/**
 * The timeline of contacts, which filters on behaviour read too. Other domains record here what a
 * contact did, in the transaction in which it happened.
 */
import { formatId, type Id, newId, parseId } from '../../core/ids.ts'
import type { Origin } from '../../core/operation.ts'
import { highestId, type Page } from '../../core/paging.ts'
import { sha256 } from '../../lib/crypto/vault.ts'
import { ids, longTexts, sql, texts } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { Channel } from '../contact.ts'

export interface NewActivity {
  businessId: Id<'business'>
  contactId: Id<'contact'>
  /** The type of the corresponding event, such as `form.submitted`. */
  type: string
  /** Ids and words of Crier's own, never a stranger's text: the timeline shows them as trusted. */
  details: Record<string, unknown>
  /** The call that caused it; absent if no connection did, as with a public form. */
  origin?: Origin | undefined
  /**
   * What the activity was about; the timeline shows its message, campaign and machine among the
   * details.
   */
  subject?: Partial<Subject>
}

const nothing: Subject = {
  messageId: null,
  campaignId: null,
  channel: null,
  formId: null,
  linkHash: null,
  machine: null,
}

export async function recordActivity(tx: Tx, activity: NewActivity[], now: Date): Promise<void> {
  if (activity.length === 0) return
  const rows = activity.map((entry) => ({ ...rowOf(entry), ...nothing, ...entry.subject }))
  await insertWithSubjects(tx, rows, now)
}

export function rowOf(activity: NewActivity): ActivityRow {
  const { businessId, contactId, type, details, origin } = activity
  return {
    businessId,
    contactId,
    id: newId('activity'),
    type,
    details: JSON.stringify(details),
    connectionId: origin?.connectionId ?? null,
    callId: origin ? (parseId('request', origin.callId) ?? null) : null,
  }
}

/** The hash by which a click's link is found; sixteen bytes are enough within one business. */
export const linkHashOf = (url: string): Buffer => sha256(url).subarray(0, 16)

/** The details of an activity as the timeline shows them. */
export function detailsOf({ details, messageId, campaignId, machine }: Activity) {
  // A link that was clicked may have a name filled in.
  const { url, ...others } = details
  return {
    ...(messageId && { message_id: formatId('message', messageId) }),
    ...(campaignId && { campaign_id: formatId('campaign', campaignId) }),
    ...(machine && { machine }),
    ...others,
    ...(typeof url === 'string' && { untrusted: { url } }),
  }
}

interface ActivityRow {
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
interface Subject {
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

type SubjectRow = ActivityRow & Subject

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

function insertWithSubjects(tx: Tx, rows: SubjectRow[], now: Date): Promise<number> {
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

/** Takes back that messages were sent, of those that end without an attempt. */
export function deleteSent(
  tx: Tx,
  businessId: Id<'business'>,
  messages: readonly { id: Id<'message'>; contactId: Id<'contact'> | null }[],
): Promise<number> {
  const contactIds = messages.flatMap(({ contactId }) => contactId ?? [])
  return tx.run(sql`
    delete from contact_activity
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
      and type = 'message.sent' and message_id = any(${messages.map(({ id }) => id)}::uuid[])
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
