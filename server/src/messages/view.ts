/** A message as callers see it, and the statements that read it. */

import { type Channel, channels } from '../contacts/contact.ts'
import { type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id } from '../core/ids.ts'
import { highestId } from '../core/paging.ts'
import { untrusted } from '../core/untrusted.ts'
import { sql, sqlWithin } from '../lib/db/db.ts'
import type { Db, Sql } from '../lib/db/types.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { type Labels, labelFields } from './labels.ts'
import { type MessageKind, type MessageState, messageKinds, messageStates } from './message.ts'

export const messageIdInput = Type.String({
  description: 'The message, msg_….',
  pattern: '^msg_[0-9a-hjkmnp-tv-z]{26}$',
})

export const leavesThisMachine = Type.Boolean({
  description: 'false: it stays in the test inbox and reaches nobody.',
})

export const messageFields = {
  message_id: Type.String(),
  channel: Type.Enum(channels),
  kind: Type.Enum(messageKinds),
  topic: Type.Optional(Type.String()),
  to: Type.String(),
  contact_id: Type.Union([Type.String(), Type.Null()]),
  template_id: Type.Union([Type.String(), Type.Null()]),
  campaign_id: Type.Union([Type.String(), Type.Null()]),
  status: Type.Enum(messageStates),
  segments: Type.Optional(Type.Integer()),
  ...labelFields,
  attempts: Type.Integer(),
  due_at: Type.String(),
  created_at: Type.String({ description: 'ISO 8601, UTC.' }),
  updated_at: Type.String({ description: 'ISO 8601, UTC.' }),
  untrusted: untrusted({
    subject: Type.Union([Type.String(), Type.Null()]),
    text: Type.Optional(Type.String()),
  }),
}

const textOrNull = Type.Union([Type.String(), Type.Null()])

/** What a message said. */
export const contentView = Type.Object({
  from: textOrNull,
  to: Type.Array(Type.String()),
  cc: Type.Array(Type.String()),
  reply_to: Type.Array(Type.String()),
  subject: textOrNull,
  html: textOrNull,
  text: textOrNull,
  headers: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
})
export type ContentView = Static<typeof contentView>

export function fieldsOf(message: ShownMessage) {
  return {
    message_id: formatId('message', message.id),
    channel: message.channel,
    kind: message.kind,
    ...(message.topic !== null && { topic: message.topic }),
    to: message.to,
    contact_id: message.contactId && formatId('contact', message.contactId),
    template_id: message.templateId && formatId('template', message.templateId),
    campaign_id: message.campaignId && formatId('campaign', message.campaignId),
    status: message.state,
    ...(message.segments !== null && { segments: message.segments }),
    ...message.labels,
    attempts: message.attempts,
    due_at: message.dueAt.toISOString(),
    created_at: message.createdAt.toISOString(),
    updated_at: message.updatedAt.toISOString(),
    untrusted: {
      subject: message.subject,
      ...(message.text !== null && { text: message.text }),
    },
  }
}

/** Another business's message gets the same refusal as a message that never existed. */
export function noSuchMessage(messageId: string): Refusal {
  return refuse('not_found', `This business has no message ${messageId}.`, {
    field: 'message_id',
    fix: { tool: 'message.list', arguments: {} },
  })
}

export interface ShownMessage {
  id: Id<'message'>
  channel: Channel
  kind: MessageKind
  topic: string | null
  contactId: Id<'contact'> | null
  to: string
  templateId: Id<'template'> | null
  campaignId: Id<'campaign'> | null
  subject: string | null
  /** The content of a text, and its number of segments. */
  text: string | null
  segments: number | null
  labels: Labels | null
  state: MessageState
  attempts: number
  dueAt: Date
  queuedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

interface MessageFilter {
  state: MessageState | null
  channel: Channel | null
  contactId: Id<'contact'> | null
  /** The address in the spelling that messages use. */
  to: string | null
  /** Occurs in the subject that the call gave. Messages of a template without one have none. */
  subject: string | null
  metadata: Record<string, string> | null
  tag: string | null
  templateId: Id<'template'> | null
  /** The lowest id to list: the first id that a moment could have. */
  from: Id<'message'> | null
  before: Id<'message'> | null
  limit: number
}

/** How many messages one page examines to find those of a state or channel. It limits the cost. */
const lookedAt = 20_000

/** Lists messages, newest first. */
export function listMessages(
  db: Db,
  businessId: Id<'business'>,
  filter: MessageFilter,
): Promise<ShownMessage[]> {
  const { state, channel, contactId, to, subject, metadata, tag, templateId } = filter
  const { from, before, limit } = filter
  return db.all(sqlWithin`
    select m.id, m.channel, m.kind, m.topic, m.contact_id as "contactId", m.recipient as "to",
      m.template_id as "templateId", m.campaign_id as "campaignId", c.subject,
      case m.channel when 'sms' then c.body_text end as text, m.segments, m.labels, m.state,
      m.attempts, m.due_at as "dueAt", m.queued_at as "queuedAt", m.created_at as "createdAt",
      m.updated_at as "updatedAt"
    from (
      select * from (${newestOf(businessId, { contactId, from, before }, lookedAt)}) looked
      where (${state}::text is null or state = ${state})
        and (${channel}::text is null or channel = ${channel})
        and (${to}::text is null or recipient = ${to})
        and (${metadata && JSON.stringify(metadata)}::jsonb is null
          or labels -> 'metadata' @> ${metadata && JSON.stringify(metadata)}::jsonb)
        and (${subject}::text is null or exists (
          select from message_contents
          where business_id = ${businessId} and message_id = looked.id
            and position(lower(${subject}) in lower(subject)) > 0))
        and (${tag}::text is null or labels -> 'tags' ? ${tag}::text)
        and (${templateId}::uuid is null or template_id = ${templateId})
      order by id desc limit ${limit}
    ) m
    left join lateral (
      select subject, body_text from message_contents
      where business_id = ${businessId} and message_id = m.id limit 1
    ) c on true
    order by m.id desc
  `)
}

type Listed = Pick<MessageFilter, 'contactId' | 'from' | 'before'>

const lowestId = '00000000-0000-0000-0000-000000000000'

/**
 * Two statements, because each uses its own index. A plan for both read the whole business for one
 * contact.
 */
function newestOf(
  businessId: Id<'business'>,
  { contactId, from, before }: Listed,
  limit: number,
): Sql {
  if (contactId === null) {
    return sql`
      select * from messages where business_id = ${businessId} and id < ${before ?? highestId}
      and id >= ${from ?? lowestId}
      order by id desc limit ${limit}
    `
  }
  return sql`
    select * from messages
    where business_id = ${businessId} and contact_id = ${contactId} and id < ${before ?? highestId}
      and id >= ${from ?? lowestId}
    order by id desc limit ${limit}
  `
}

/** The last message that a filtered page examined. Undefined if it examined all messages. */
export async function findFloor(
  db: Db,
  businessId: Id<'business'>,
  { contactId, from, before }: Listed,
): Promise<Id<'message'> | undefined> {
  const row = await db.maybe<{ id: Id<'message'> }>(
    contactId === null
      ? sql`
        select id from messages where business_id = ${businessId} and id < ${before ?? highestId}
      and id >= ${from ?? lowestId}
        order by id desc offset ${lookedAt - 1} limit 1
      `
      : sql`
        select id from messages
        where business_id = ${businessId} and contact_id = ${contactId} and id < ${before ?? highestId}
      and id >= ${from ?? lowestId}
        order by id desc offset ${lookedAt - 1} limit 1
      `,
  )
  return row?.id
}

export function findMessage(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'message'>,
): Promise<ShownMessage | undefined> {
  return db.maybe(sql`
    select m.id, m.channel, m.kind, m.topic, m.contact_id as "contactId", m.recipient as "to",
      m.template_id as "templateId", m.campaign_id as "campaignId", c.subject,
      case m.channel when 'sms' then c.body_text end as text, m.segments, m.labels, m.state,
      m.attempts, m.due_at as "dueAt", m.queued_at as "queuedAt", m.created_at as "createdAt",
      m.updated_at as "updatedAt"
    from messages m
    left join message_contents c on c.business_id = m.business_id and c.message_id = m.id
    where m.business_id = ${businessId} and m.id = ${id}
  `)
}

export interface MessageEvent {
  type: string
  at: Date
  code: string | null
  words: string | null
  url: string | null
  machine: boolean | null
}

/** Lists events, oldest first. */
export function listMessageEvents(
  db: Db,
  businessId: Id<'business'>,
  { id, createdAt }: Pick<ShownMessage, 'id' | 'createdAt'>,
  limit: number,
): Promise<MessageEvent[]> {
  return db.all(sql`
    select type, happened_at as at, code, words, url, machine from message_events
    where business_id = ${businessId} and message_id = ${id}
      -- Spares the partitions of months before it.
      and created_at >= ${createdAt}
    order by happened_at, created_at, id limit ${limit}
  `)
}
