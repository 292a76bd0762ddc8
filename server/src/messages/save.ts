/** Saves messages: what refuses each, then its rows, events and job, in one transaction for many calls. */

import type { Channel } from '../contacts/contact.ts'
import { type Recipient, resolveRecipients } from '../contacts/recipients.ts'
import { fitsOf } from '../contacts/segments/fits.ts'
import { recordActivity } from '../contacts/timeline/activity.ts'
import { isRefusal, type Refusal } from '../core/errors.ts'
import { formatId, type Id, newId, parseId } from '../core/ids.ts'
import type { SetWrite } from '../core/operation.ts'
import { recordAudit } from '../events/audit.ts'
import { emitAll } from '../events/emit.ts'
import { sql } from '../lib/db/db.ts'
import type { Db, Tx } from '../lib/db/types.ts'
import {
  approvalRefusal,
  countRecipients,
  lockAllowance,
  lockPendingCount,
} from '../usage/approval-limit.ts'
import { takeOfConnections } from '../usage/connection-limit.ts'
import { overLimit, reserve } from '../usage/reserve.ts'
import { type MarketingSource, readAttention, takePlace } from './attention.ts'
import { contentHash } from './content.ts'
import type { Content, MessageState } from './message.ts'
import { sentEvent } from './message-events.ts'
import { queueMessages } from './queue.ts'
import { messagesToCount } from './same-message.ts'
import type { MessageToSave, SavedMessage } from './to-save.ts'

/**
 * Saves messages with their jobs, events and usage. Of equal messages within two minutes only the
 * first is queued, whether they arrive in one flush or in several flushes at once.
 */
export const saveMessages: SetWrite<MessageToSave, SavedMessage> = {
  name: 'message.send',
  businessOf: ({ businessId }) => businessId,
  keyOf: ({ businessId }) => businessId,
  bytesOf: ({ content }) => sizeOf(content),

  async save(tx, items, now) {
    const outcomes: (SavedMessage | Refusal)[] = Array.from({ length: items.length })
    const fine = await permitted(tx, items, outcomes)
    const fresh = await withoutRepeats(tx, fine, { outcomes, now })
    const timely = await withinAttention(tx, fresh, { outcomes, now })
    const within = await withinLimit(tx, timely, { outcomes, now })
    const allowed = await withinConnectionLimits(tx, within.accepted, { outcomes, now })
    const paid = await affordable(tx, allowed, { outcomes, now })
    for (const accepted of paid) {
      outcomes[accepted.index] = {
        id: accepted.id,
        state: stateOf(accepted.item),
        duplicate: false,
      }
    }
    await countRecipients(
      tx,
      paid
        .filter((accepted) => within.counted.has(accepted))
        .map((accepted) => reachOf(accepted, now)),
    )
    if (paid.length > 0) await record(tx, paid, now)
    return outcomes
  },
}

/** The approximate size: characters of the content, and of the attachments in base64. */
function sizeOf({ html, text, attachments }: Content): number {
  let size = (html?.length ?? 0) + (text?.length ?? 0)
  for (const { content } of attachments ?? []) size += content.length
  return size
}

const metrics = { email: 'emails', sms: 'sms' } as const

const stateOf = ({ sendAt }: MessageToSave) => (sendAt ? 'scheduled' : 'queued')

/** All items of a flush have the same `hmac`. */
async function permitted(
  tx: Tx,
  items: MessageToSave[],
  outcomes: Outcomes['outcomes'],
): Promise<Accepted[]> {
  const [first] = items
  if (!first) return []
  const requests = items.map(({ businessId, channel, contactId, to, kind, topic = null }) => ({
    businessId,
    channel,
    contactId,
    address: to,
    needsConsent: kind === 'marketing',
    topic,
  }))
  const recipients = await resolveRecipients(tx, first.hmac, requests)
  return items.flatMap((item, index) => {
    const recipient = recipients[index] as Recipient | Refusal
    if (isRefusal(recipient)) {
      outcomes[index] = recipient
      return []
    }
    const { channel, template, request, content, sendAt, labels, topic = null } = item
    const templateVersionId = template?.versionId ?? null
    const hash = contentHash(channel, {
      to: recipient.address,
      templateVersionId,
      content: request ?? content,
      sendAt,
      // Two orders may be confirmed in the same words.
      ...(labels && { labels }),
      ...(topic !== null && { topic }),
    })
    return [{ index, item, recipient, id: item.id ?? newId('message'), hash }]
  })
}

const nameOf = ({ item, hash }: Accepted) => `${item.businessId} ${hash.toString('base64')}`

/** Returns the messages that do not repeat a message of the last two minutes. */
async function withoutRepeats(
  tx: Tx,
  all: Accepted[],
  { outcomes, now }: Outcomes,
): Promise<Accepted[]> {
  const guarded = all.filter(({ item }) => !item.allowDuplicate)
  if (guarded.length === 0) return all
  const firsts = new Map(guarded.toReversed().map((accepted) => [nameOf(accepted), accepted]))
  const claimed = await claimRecent(tx, [...firsts.values()].map(rowOf), now)
  const ids = new Set(claimed.map(({ messageId }) => messageId))
  const repeated = guarded.filter((accepted) => !ids.has(accepted.id))
  if (repeated.length === 0) return all
  const existing = await findFirst(tx, repeated.map(rowOf))
  const byHash = new Map(existing.map((row) => [row.hash.toString('base64'), row]))
  for (const repeat of repeated) {
    const stored = byHash.get(repeat.hash.toString('base64'))
    // The first message was reserved a moment ago and is not written yet.
    const first = stored ?? {
      id: firsts.get(nameOf(repeat))?.id ?? repeat.id,
      state: stateOf(repeat.item),
    }
    outcomes[repeat.index] = { id: first.id, state: first.state, duplicate: true }
  }
  const repeats = new Set(repeated)
  return all.filter((accepted) => !repeats.has(accepted))
}

interface Recent {
  businessId: Id<'business'>
  hash: Buffer
  messageId: Id<'message'>
}

/**
 * Reserves each content for two minutes. Returns those that were free. The upsert itself compares
 * the time, so that only one of two simultaneous calls gets the reservation. The two minutes are
 * `limits.duplicateMs`, written out because a plan of a conflict takes no parameters.
 */
export function claimRecent(tx: Tx, rows: Recent[], now: Date): Promise<Recent[]> {
  return tx.all(sql`
    insert into recent_messages (business_id, content_hash, message_id, created_at)
    select business_id, hash, message_id, ${now}::timestamptz
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.hash)}::bytea[],
      ${rows.map((row) => row.messageId)}::uuid[]
    ) as new (business_id, hash, message_id)
    order by business_id, hash
    on conflict (business_id, content_hash) do update
    set message_id = excluded.message_id, created_at = excluded.created_at
    where excluded.created_at - recent_messages.created_at >= interval '120 seconds'
    returning business_id as "businessId", content_hash as hash, message_id as "messageId"
  `)
}

interface First {
  hash: Buffer
  id: Id<'message'>
  state: MessageState
}

/** Returns the messages that hold the reservations. */
function findFirst(tx: Tx, rows: Omit<Recent, 'messageId'>[]): Promise<First[]> {
  return tx.all(sql`
    select r.content_hash as hash, m.id, m.state
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[], ${rows.map((row) => row.hash)}::bytea[]
    ) as asked (business_id, hash)
    join recent_messages r on r.business_id = asked.business_id and r.content_hash = asked.hash
    join messages m on m.business_id = r.business_id and m.id = r.message_id
  `)
}

/** Returns the messages that the tier allows. The others leave nothing behind. */
async function affordable(
  tx: Tx,
  all: Accepted[],
  { outcomes, now }: Outcomes,
): Promise<Accepted[]> {
  if (all.length === 0) return []
  const demands = all.map(({ item: { businessId, channel, tier, units } }) => ({
    businessId,
    tier,
    metric: metrics[channel],
    amount: units,
    partial: false,
  }))
  const granted = await reserve(tx, demands, now)
  const over = all.filter((_one, i) => granted[i] === 0)
  const refused = new Map(
    over.map(({ id, item }) => [id, overLimit(metrics[item.channel], item.tier)]),
  )
  return withoutRefused(tx, all, { outcomes, refused })
}

async function record(tx: Tx, all: Accepted[], now: Date): Promise<void> {
  const blocks = await shownBlocksOf(tx, all, now)
  await insertMessages(
    tx,
    all.map((accepted) => messageRow(accepted, blocks.get(accepted.id) ?? null, now)),
    now,
  )
  const queued = all.map(({ item, id }) => ({
    businessId: item.businessId,
    id,
    channel: item.channel,
    kind: item.kind,
    isReply: false,
    dueAt: item.sendAt ?? now,
  }))
  await queueMessages(tx, queued, now)
  const immediate = all.filter(({ item }) => !item.sendAt)
  await emitAll(
    tx,
    immediate.map(({ item: { businessId, channel, origin, labels = null }, id, recipient }) =>
      sentEvent(
        {
          businessId,
          id,
          channel,
          contactId: recipient.contactId,
          campaignId: null,
          to: recipient.address,
          labels,
        },
        origin,
      ),
    ),
    now,
  )
  await recordActivity(tx, immediate.flatMap(activityOf), now)
  await recordAudit(tx, all.map(auditOf), now)
}

interface MessageRow {
  businessId: Id<'business'>
  id: Id<'message'>
  channel: Channel
  kind: string
  topic: string | null
  isReply: boolean
  segments: number | null
  contactId: Id<'contact'> | null
  recipient: string
  mark: Buffer | null
  templateId: Id<'template'> | null
  templateVersionId: string | null
  shownBlocks: number | null
  state: MessageState
  dueAt: Date
  queuedAt: Date | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
  subject: string | null
  html: string | null
  text: string | null
  /** JSON text, like the attachments. */
  variables: string | null
  attachments: string | null
  trackOpens: boolean
  trackClicks: boolean
  /** JSON text. */
  labels: string | null
  /** JSON text. */
  fields: string | null
  language: string | null
  /** The message that this one is a copy of. */
  copyOf: Id<'message'> | null
}

/** Inserts the messages with their content. */
export async function insertMessages(tx: Tx, rows: MessageRow[], now: Date): Promise<void> {
  await Promise.all([
    insertContents(tx.pipelined, rows, now),
    insertStates(tx.pipelined, rows, now),
  ])
}

function insertContents(tx: Tx, rows: MessageRow[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into message_contents (business_id, message_id, subject, html, body_text, variables,
      attachments, track_opens, track_clicks, header_fields, copy_of, language, created_at)
    select business_id, id, subject, html, body_text, variables, attachments, track_opens,
      track_clicks, header_fields, copy_of, language, ${now}::timestamptz
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.subject)}::text[],
      ${rows.map((row) => row.html)}::text[],
      ${rows.map((row) => row.text)}::text[],
      ${rows.map((row) => row.variables)}::json[],
      ${rows.map((row) => row.attachments)}::json[],
      ${rows.map((row) => row.trackOpens)}::boolean[],
      ${rows.map((row) => row.trackClicks)}::boolean[],
      ${rows.map((row) => row.fields)}::jsonb[],
      ${rows.map((row) => row.copyOf)}::uuid[],
      ${rows.map((row) => row.language)}::text[]
    ) as new (business_id, id, subject, html, body_text, variables, attachments, track_opens,
      track_clicks, header_fields, copy_of, language)
  `)
}

function insertStates(tx: Tx, rows: MessageRow[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into messages (business_id, id, channel, kind, topic, is_reply, segments, contact_id,
      recipient, recipient_mark, template_id, template_version_id, shown_blocks, state, attempts,
      due_at, queued_at, connection_id, call_id, labels, created_at, updated_at)
    select business_id, id, channel, kind, topic, is_reply, segments, contact_id, recipient, mark,
      template_id, template_version_id, shown_blocks, state, 0, due_at, queued_at, connection_id, call_id, labels,
      ${now}::timestamptz, ${now}::timestamptz
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.channel)}::text[],
      ${rows.map((row) => row.kind)}::text[],
      ${rows.map((row) => row.topic)}::text[],
      ${rows.map((row) => row.isReply)}::boolean[],
      ${rows.map((row) => row.segments)}::smallint[],
      ${rows.map((row) => row.contactId)}::uuid[],
      ${rows.map((row) => row.recipient)}::text[],
      ${rows.map((row) => row.mark)}::bytea[],
      ${rows.map((row) => row.templateId)}::uuid[],
      ${rows.map((row) => row.templateVersionId)}::uuid[],
      ${rows.map((row) => row.shownBlocks)}::smallint[],
      ${rows.map((row) => row.state)}::text[],
      ${rows.map((row) => row.dueAt)}::timestamptz[],
      ${rows.map((row) => row.queuedAt)}::timestamptz[],
      ${rows.map((row) => row.connectionId)}::uuid[],
      ${rows.map((row) => row.callId)}::uuid[],
      ${rows.map((row) => row.labels)}::jsonb[]
    ) as new (business_id, id, channel, kind, topic, is_reply, segments, contact_id, recipient, mark,
      template_id, template_version_id, shown_blocks, state, due_at, queued_at, connection_id, call_id, labels)
  `)
}

/** Which blocks of its template each recipient sees. Few templates have blocks for some. */
async function shownBlocksOf(
  tx: Tx,
  all: Accepted[],
  now: Date,
): Promise<ReadonlyMap<Id<'message'>, number>> {
  const blockBits = new Map<Id<'message'>, number>()
  for (const { item, recipient, id } of all) {
    const { businessId, template, hmac } = item
    const { contactId } = recipient
    if (!template?.conditions || contactId === null) continue
    const filters = template.conditions.map(({ filter }) => filter)
    const fits = await fitsOf(tx, { businessId, filters, contactIds: [contactId], hmac, now })
    blockBits.set(id, fits.get(contactId) ?? 0)
  }
  return blockBits
}

function messageRow(
  { item, recipient, id }: Accepted,
  shownBlocks: number | null,
  now: Date,
): MessageRow {
  const { businessId, channel, kind, topic = null, template, content, units, sendAt, origin } = item
  const { subject, html, text, variables, attachments, trackOpens, trackClicks } = content
  const { fields, language = null } = content
  return {
    businessId,
    id,
    channel,
    kind,
    topic,
    isReply: false,
    segments: channel === 'sms' ? units : null,
    contactId: recipient.contactId,
    recipient: recipient.address,
    mark: recipient.mark,
    templateId: template?.id ?? null,
    templateVersionId: template?.versionId ?? null,
    shownBlocks,
    state: stateOf(item),
    dueAt: sendAt ?? now,
    queuedAt: sendAt ? null : now,
    connectionId: origin.connectionId,
    callId: parseId('request', origin.callId) ?? null,
    subject,
    html,
    text,
    variables: variables && JSON.stringify(variables),
    attachments: attachments && JSON.stringify(attachments),
    trackOpens,
    trackClicks,
    labels: item.labels ? JSON.stringify(item.labels) : null,
    fields: fields ? JSON.stringify(fields) : null,
    language,
    copyOf: item.copyOf ?? null,
  }
}

function activityOf({ item, recipient, id }: Accepted) {
  if (!recipient.contactId) return []
  const { businessId, origin, kind, channel } = item
  const { contactId } = recipient
  const subject = { messageId: id, channel }
  return [{ businessId, contactId, type: 'message.sent', details: { kind }, origin, subject }]
}

function auditOf({ item, id }: Accepted) {
  const { businessId, channel, origin, kind, sendAt } = item
  return {
    businessId,
    action: `${channel}.send`,
    subject: formatId('message', id),
    details: { kind, scheduled: sendAt !== undefined },
    origin,
  }
}

/** A message that may be sent, and the index of its outcome. */
interface Accepted {
  index: number
  item: MessageToSave
  recipient: Recipient
  id: Id<'message'>
  hash: Buffer
}

interface Outcomes {
  outcomes: (SavedMessage | Refusal)[]
  now: Date
}

const rowOf = ({ item, hash, id }: Accepted) => ({
  businessId: item.businessId,
  hash,
  messageId: id,
})

const reachOf = ({ item: { businessId, sendAt } }: Accepted, now: Date) => {
  return { businessId, at: sendAt ?? now, amount: 1 }
}

/**
 * Returns the messages for which their people have room. What only comes too soon after another one
 * is scheduled for later.
 */
async function withinAttention(
  tx: Tx,
  all: Accepted[],
  { outcomes, now }: Outcomes,
): Promise<Accepted[]> {
  const marketing = all.filter(({ item }) => item.kind === 'marketing')
  if (marketing.length === 0) return all
  const refused = new Map<Id<'message'>, Refusal>()
  const groups = Map.groupBy(marketing, ({ item }) => `${item.businessId} ${sourceOf(item)}`)
  for (const [, group] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [first] = group
    if (!first) continue
    const { businessId } = first.item
    await lockPendingCount(tx, businessId)
    const contactIds = group.flatMap(({ recipient }) => recipient.contactId ?? [])
    const query = { businessId, source: sourceOf(first.item), now }
    const attention = await readAttention(tx, contactIds, query)
    for (const accepted of group) {
      const { contactId } = accepted.recipient
      const own = contactId ? attention.get(contactId) : undefined
      const refusal = takePlace(own, now)
      if (refusal) refused.set(accepted.id, refusal)
      else if (own?.gapUntil && own.gapUntil > (accepted.item.sendAt ?? now)) {
        accepted.item = { ...accepted.item, sendAt: own.gapUntil }
      }
    }
  }
  return withoutRefused(tx, all, { outcomes, refused })
}

const sourceOf = ({ labels }: MessageToSave): MarketingSource =>
  labels?.sequence_id ? 'sequence' : 'campaign'

interface WithinLimit {
  accepted: Accepted[]
  /** Marketing without an approval, which counts against the limit. */
  counted: ReadonlySet<Accepted>
}

/**
 * Returns the messages of a flush that the approval limit allows; the writes of the others are
 * undone. Only marketing costs a statement here.
 */
async function withinLimit(
  tx: Tx,
  all: Accepted[],
  { outcomes, now }: Outcomes,
): Promise<WithinLimit> {
  const marketing = all.filter(({ item }) => item.kind === 'marketing')
  if (marketing.length === 0) return { accepted: all, counted: new Set() }
  const allowance = await lockAllowance(
    tx,
    marketing.map((accepted) => reachOf(accepted, now)),
  )
  const counted = new Set(
    marketing.filter(
      ({ item }) =>
        !item.isApproved && (!item.byApprover || allowance.needsTwoPeople(item.businessId)),
    ),
  )
  const refused = new Map<Id<'message'>, Refusal>()
  for (const message of counted) {
    if (allowance.take(reachOf(message, now))) continue
    const { businessId, channel, template } = message.item
    const { subject, html, text } = message.item.request ?? message.item.content
    const words = { channel, ...(!template && { content: { subject, html, text } }) }
    refused.set(message.id, approvalRefusal(allowance.limitOf(businessId), words))
  }
  return { accepted: await withoutRefused(tx, all, { outcomes, refused }), counted }
}

/** Returns the messages that their connection may send today. Other messages cost nothing here. */
async function withinConnectionLimits(
  tx: Tx,
  all: Accepted[],
  { outcomes, now }: Outcomes,
): Promise<Accepted[]> {
  const limited = all.filter(({ item }) => item.connectionLimit)
  if (limited.length === 0) return all
  const messages = await messagesToCount(tx, limited)
  const ordered = limited.flatMap(({ id, item: { businessId, kind, connectionLimit: limit } }) =>
    limit ? [{ id, businessId, limit, recipients: 1, kind, oneMessage: messages.get(id) }] : [],
  )
  const refusals = await takeOfConnections(tx, ordered, now)
  const refused = new Map<Id<'message'>, Refusal>()
  for (const [i, { id }] of ordered.entries()) {
    const refusal = refusals[i]
    if (refusal) refused.set(id, refusal)
  }
  return withoutRefused(tx, all, { outcomes, refused })
}

interface RefusedMessages {
  outcomes: Outcomes['outcomes']
  refused: ReadonlyMap<Id<'message'>, Refusal>
}

/** Returns the messages that are not refused. Refused messages leave nothing behind. */
async function withoutRefused(
  tx: Tx,
  all: Accepted[],
  { outcomes, refused }: RefusedMessages,
): Promise<Accepted[]> {
  if (refused.size === 0) return all
  const over = all.filter(({ id }) => refused.has(id))
  await freeRecent(tx, over.map(rowOf))
  for (const { index, id } of over) outcomes[index] = refused.get(id) as Refusal
  for (const [index, outcome] of outcomes.entries()) {
    // If a message is refused, its repeat is refused too.
    const refusal = outcome && !isRefusal(outcome) && refused.get(outcome.id)
    if (refusal) outcomes[index] = refusal
  }
  return all.filter((accepted) => !refused.has(accepted.id))
}

/** Releases the reservations of messages that are not sent after all. */
function freeRecent(tx: Tx, rows: Recent[]): Promise<number> {
  return tx.run(sql`
    delete from recent_messages r
    using unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.hash)}::bytea[],
      ${rows.map((row) => row.messageId)}::uuid[]
    ) as freed (business_id, hash, message_id)
    where r.business_id = freed.business_id and r.content_hash = freed.hash
      and r.message_id = freed.message_id
  `)
}

export function deleteRecent(db: Db, before: Date): Promise<number> {
  return db.run(sql`delete from recent_messages where created_at < ${before}`)
}
