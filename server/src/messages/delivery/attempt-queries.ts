/** Statements about attempts: which messages are due, and the start and end of an attempt. */

import { isHeldByStop } from '../../accounts/stops/stops.ts'
import { covers } from '../../contacts/consent/covers.ts'
import type { Channel } from '../../contacts/contact.ts'
import type { Id } from '../../core/ids.ts'
import { sql, sqlWithin } from '../../lib/db/db.ts'
import type { Db, Tx } from '../../lib/db/types.ts'
import type { HeldJob } from '../../lib/jobs/claim.ts'
import type { OfCampaign } from '../model/campaign-outcomes.ts'
import type { Labels } from '../model/labels.ts'
import type { Message, MessageKind } from '../model/message.ts'
import type { Announced } from '../timeline/announce.ts'
import type { EventRow } from '../timeline/event-row.ts'

/** A message that is due, and whether a person's stop holds it. */
export interface DueMessage extends Message {
  isStopped: boolean
}

/** Finds messages of a chunk that are due, or that a worker left in the middle of an attempt. */
export function findDue(
  db: Db,
  businessId: Id<'business'>,
  ids: readonly Id<'message'>[],
  now: Date,
): Promise<DueMessage[]> {
  return db.all(sqlWithin`
    select m.business_id as "businessId", m.id, m.channel, m.kind, m.is_reply as "isReply",
      m.contact_id as "contactId", m.campaign_id as "campaignId", m.recipient as "to",
      m.template_version_id as "templateVersionId", m.shown_blocks as "shownBlocks", m.topic, m.state, m.attempts,
      m.due_at as "dueAt", m.queued_at as "queuedAt", ${isHeldByStop} as "isStopped",
      case when m.channel = 'sms' and m.kind = 'marketing' then (
        select c.attributes ->> 'time_zone' from contacts c
        where c.business_id = m.business_id and c.id = m.contact_id
      ) end as zone,
      case when m.channel = 'email' then (
        select c.tracking_consent from contacts c
        where c.business_id = m.business_id and c.id = m.contact_id
      ) end as "trackingConsent"
    from messages m
    where m.business_id = ${businessId} and m.id = any(${ids}::uuid[])
      and (m.state = 'attempting'
        or m.state in ('scheduled', 'queued', 'deferred') and m.due_at <= ${now})
    order by m.id
  `)
}

export interface ReleasedMessage {
  businessId: Id<'business'>
  id: Id<'message'>
  channel: Channel
  contactId: Id<'contact'> | null
  campaignId: Id<'campaign'> | null
  to: string
  labels: Labels | null
  connectionId: Id<'connection'> | null
  callId: Id<'request'> | null
}

/** Queues scheduled messages that have become due, and returns them. */
export function releaseScheduled(
  tx: Tx,
  businessId: Id<'business'>,
  ids: readonly Id<'message'>[],
  now: Date,
): Promise<ReleasedMessage[]> {
  return tx.all(sql`
    update messages set state = 'queued', queued_at = ${now}, updated_at = ${now}
    where business_id = ${businessId} and id = any(${ids}::uuid[]) and state = 'scheduled'
    returning business_id as "businessId", id, channel, contact_id as "contactId",
      campaign_id as "campaignId", recipient as "to", labels, connection_id as "connectionId",
      call_id as "callId"
  `)
}

export interface Orphan extends Announced {
  kind: MessageKind
  attempts: number
}

/**
 * Ends attempts whose worker no longer holds the job, so that their outcome is unknown. Marketing
 * stays unknown, and other messages are tried again.
 */
export function resolveOrphans(
  tx: Tx,
  businessId: Id<'business'>,
  ids: readonly Id<'message'>[],
  now: Date,
): Promise<Orphan[]> {
  return tx.all(sql`
    update messages m set
      state = case when kind = 'marketing' then 'unknown' else 'deferred' end,
      due_at = ${now}, updated_at = ${now}
    where business_id = ${businessId} and id = any(${ids}::uuid[]) and state = 'attempting'
      and not exists (
        select from jobs where jobs.shard = m.job_shard and jobs.id = m.job_id
          and jobs.lease = m.attempt_id
      )
    returning business_id as "businessId", id, kind, channel, campaign_id as "campaignId",
      contact_id as "contactId", recipient as "to", labels, attempts
  `)
}

/** Whether contact `c` consents to message `m`. */
const isCovered = covers({ channel: sql`m.channel`, topic: sql`m.topic` })

export interface Beginning {
  businessId: Id<'business'>
  id: Id<'message'>
  job: HeldJob
  route: string
  /** The domain that a mail is sent from, or the number of a text. */
  sender: string
  /** The provider that receives it, as `throttle/provider.ts` names it. */
  provider: string
  /** For a text: the hash under which a STOP to this sender is stored. */
  stoppedMark: Buffer | null
}

export interface AttemptStart {
  id: Id<'message'>
  jobId: Id<'job'>
  /** `held`: its campaign is on hold, or a person stopped what sends it. Each state but `attempting` leaves the message unchanged. */
  state: 'attempting' | 'held' | 'suppressed' | 'cancelled'
  /** The reason why it must not be sent. */
  reason: string | null
}

/**
 * Marks messages as being tried, if their job is still held and nothing forbids it. The statement
 * itself reads the list of suppressions and the consent, so a person who opted out a moment ago
 * gets nothing. Another worker has a message that is missing from the result: if two jobs hold the
 * same message, only one of them gets it. It is a single statement because a connection waits for
 * it.
 */
export function beginAttempts(db: Db, all: Beginning[], now: Date): Promise<AttemptStart[]> {
  return db.all(sqlWithin`
    with asked (business_id, id, shard, job_id, lease, route, sender, provider,
      stopped_mark) as (
      select * from unnest(
        ${all.map((beginning) => beginning.businessId)}::uuid[],
        ${all.map((beginning) => beginning.id)}::uuid[],
        ${all.map((beginning) => beginning.job.shard)}::smallint[],
        ${all.map((beginning) => beginning.job.id)}::uuid[],
        ${all.map((beginning) => beginning.job.lease)}::uuid[],
        ${all.map((beginning) => beginning.route)}::text[],
        ${all.map((beginning) => beginning.sender)}::text[],
        ${all.map((beginning) => beginning.provider)}::text[],
        ${all.map((beginning) => beginning.stoppedMark)}::bytea[]
      )
    ), known as materialized (
      select asked.*, m.kind,
        coalesce((select h.state from message_holds h
          where h.business_id = m.business_id and h.campaign_id = m.campaign_id),
          case when ${isHeldByStop} then 'held' end) as hold,
        case when not m.is_reply then coalesce((select s.reason from suppressions s
          where s.business_id = m.business_id and s.channel = m.channel
            and s.address_hmac = m.recipient_mark
            -- As isMarketingOnly says.
            and (m.kind = 'marketing' or s.reason not in ('complaint', 'unsubscribed'))),
          (select 'stop' from stopped_numbers s where s.mark = asked.stopped_mark)) end as listed,
        case m.kind when 'marketing' then coalesce((
          select case when not ${isCovered} then 'topic_not_chosen'
            when m.channel = 'sms' then c.sms_consent else c.email_consent end
          from contacts c
          where c.business_id = m.business_id and c.id = m.contact_id), 'gone') end as consent
      from asked
      join messages m on m.business_id = asked.business_id and m.id = asked.id
      join jobs j on j.shard = asked.shard and j.id = asked.job_id and j.lease = asked.lease
      where m.state in ('queued', 'deferred')
    ), judged as (
      select known.*, case
        when hold is not null then hold
        when listed is not null then 'suppressed'
        when consent <> 'subscribed' then 'cancelled'
        else 'attempting' end as state, case
        when hold is not null then 'campaign_cancelled'
        when listed is not null then listed
        when consent = 'gone' then 'erased'
        when consent = 'topic_not_chosen' then consent
        else 'unsubscribed' end as reason
      from known
    ), begun as (
      update messages m set
        state = 'attempting', attempt_id = judged.lease, job_shard = judged.shard,
        job_id = judged.job_id, route = judged.route, sender_domain = judged.sender,
        provider = judged.provider,
        attempts = m.attempts + 1, updated_at = ${now}
      from judged
      where judged.state = 'attempting'
        and m.business_id = judged.business_id and m.id = judged.id
        and m.state in ('queued', 'deferred')
      returning m.id, m.job_id, m.state
    )
    select id, job_id as "jobId", state, null as reason from begun
    union all
    select id, job_id, state, reason from judged where state <> 'attempting'
  `)
}

export interface Ending {
  businessId: Id<'business'>
  id: Id<'message'>
  /** The lease under which the attempt was started. */
  attemptId: string
  state: 'accepted' | 'deferred' | 'bounced' | 'failed' | 'unknown' | 'suppressed'
  at: Date
  /** The time of the next attempt. */
  dueAt: Date | null
  code: string | null
  words: string | null
  /**
   * The next hop's id for the message, and the number of segments that it reports. Null if it
   * reports none.
   */
  takenAs: string | null
  segments: number | null
  /** The hop that it went to in the end, if it is not the one that the attempt began with. */
  route: string | null
  eventId: string
}

export interface EndedAttempt extends OfCampaign {
  attemptId: string
  channel: Channel
  kind: MessageKind
  isReply: boolean
  to: string
  labels: Labels | null
  route: string | null
  senderDomain: string | null
  provider: string | null
  attempts: number
}

/**
 * Ends attempts with their events. Returns those that this worker still held. An attempt whose
 * outcome was recorded as unknown may still end, as long as it is the message's last attempt.
 */
export function endAttempts(db: Db, all: Ending[], now: Date): Promise<EndedAttempt[]> {
  return db.all(sql`
    with incoming (business_id, id, attempt_id, state, at, due_at, code, words, taken_as,
      segments, route, event_id) as (
      select * from unnest(
        ${all.map((ending) => ending.businessId)}::uuid[],
        ${all.map((ending) => ending.id)}::uuid[],
        ${all.map((ending) => ending.attemptId)}::uuid[],
        ${all.map((ending) => ending.state)}::text[],
        ${all.map((ending) => ending.at)}::timestamptz[],
        ${all.map((ending) => ending.dueAt)}::timestamptz[],
        ${all.map((ending) => ending.code)}::text[],
        ${all.map((ending) => ending.words)}::text[],
        ${all.map((ending) => ending.takenAs)}::text[],
        ${all.map((ending) => ending.segments)}::smallint[],
        ${all.map((ending) => ending.route)}::text[],
        ${all.map((ending) => ending.eventId)}::uuid[]
      )
    ), ended as (
      update messages m set
        state = incoming.state, due_at = coalesce(incoming.due_at, m.due_at),
        taken_as = coalesce(incoming.taken_as, m.taken_as),
        segments = coalesce(incoming.segments, m.segments),
        route = coalesce(incoming.route, m.route), updated_at = ${now}
      from incoming
      where m.business_id = incoming.business_id and m.id = incoming.id
        and m.attempt_id = incoming.attempt_id and m.state in ('attempting', 'unknown')
      returning m.business_id, m.id, m.attempt_id, m.channel, m.kind, m.is_reply, m.contact_id,
        m.campaign_id, m.recipient, m.labels, m.route, m.sender_domain, m.provider, m.attempts
    ), told as (
      insert into message_events (business_id, message_id, id, type, happened_at, code, words,
        created_at)
      select business_id, id, event_id, state, at, code, words, ${now}
      from incoming join ended using (business_id, id, attempt_id)
    )
    select business_id as "businessId", id, attempt_id as "attemptId", channel, kind, is_reply as "isReply",
      contact_id as "contactId", campaign_id as "campaignId", recipient as "to", labels, route,
      sender_domain as "senderDomain", provider, attempts
    from ended
  `)
}

export function insertEvents(tx: Tx, rows: EventRow[], now: Date): Promise<number> {
  return tx.run(sql`
    insert into message_events (business_id, message_id, id, type, happened_at, code, words, url,
      machine, created_at)
    select business_id, message_id, id, type, at, code, words, url, machine, ${now}
    from unnest(
      ${rows.map((row) => row.businessId)}::uuid[],
      ${rows.map((row) => row.messageId)}::uuid[],
      ${rows.map((row) => row.id)}::uuid[],
      ${rows.map((row) => row.type)}::text[],
      ${rows.map((row) => row.at)}::timestamptz[],
      ${rows.map((row) => row.code)}::text[],
      ${rows.map((row) => row.words)}::text[],
      ${rows.map((row) => row.url)}::text[],
      ${rows.map((row) => row.machine)}::boolean[]
    ) as new (business_id, message_id, id, type, at, code, words, url, machine)
  `)
}
