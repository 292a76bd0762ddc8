/** Statements that write a campaign's past: its recipients and its results. */

import type { Id } from '../core/ids.ts'
import { plannedAnew, sql } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'

export interface PastCampaign {
  businessId: Id<'business'>
  campaignId: Id<'campaign'>
  /** The seed of the random draws. */
  seed: string
  /** The share of its recipients who have been sent it so far. */
  share: number
  began: Date
  /** When it was sent to the last of these recipients. */
  until: Date
  /** Per thousand. */
  opens: number
  clicks: number
}

/**
 * Each contact as a recipient, in the order of a real campaign. A draw from 0 to 999 for each
 * possible event depends only on the address, so that every demo is the same.
 */
export function insertRecipients(tx: Tx, past: PastCampaign): Promise<number> {
  const { businessId, campaignId, seed, share, began, until, opens, clicks } = past
  return tx.run(
    plannedAnew(sql`
      insert into campaign_recipients (business_id, campaign_id, contact_id, state, reason, variant,
        message_id, updated_at, marks)
      select ${businessId}, ${campaignId}, id,
        case when refused is not null then 'skipped' when not reached then 'pending'
          when bounces then 'bounced' else 'delivered' end,
        coalesce(refused, case when reached and bounces then '5.1.1' end),
        case when refused is null then 0 end,
        case when refused is null and reached then (
          lpad(to_hex((extract(epoch from at) * 1000)::bigint), 12, '0')
          || '7' || substr(digest, 1, 3) || 'a' || substr(digest, 4, 15))::uuid end,
        case when refused is null and reached then at else ${began}::timestamptz end,
        case when refused is not null or not reached or bounces then 0 else
          case when opened < ${opens}::integer then 1 else 0 end
          + case when opened between 600 and 780 then 2 else 0 end
          + case when opened < ${clicks}::integer then 4 else 0 end
          + case when opened between 990 and 996 then 32 else 0 end end
      from (
        select *, turn <= ${share}::float8 * everybody as reached,
          ${began}::timestamptz + (${until}::timestamptz - ${began}::timestamptz)
            * (turn / greatest(1, ${share}::float8 * everybody)) as at
        from (
          select c.id, refused, digest,
            ('x' || substr(digest, 20, 4))::bit(16)::integer % 1000 as opened,
            ('x' || substr(digest, 26, 4))::bit(16)::integer % 1000 < 8 as bounces,
            count(*) filter (where refused is null) over (order by c.id) as turn,
            count(*) filter (where refused is null) over () as everybody
          from (
            select id, md5(email || ${seed}::text) as digest,
              case when email_consent <> 'subscribed' then 'not_subscribed'
                when exists (
                  select from suppressions s where s.business_id = ${businessId}
                    and s.channel = 'email' and s.address_hmac = contacts.email_mark
                ) then 'invalid' end as refused
            from contacts
            where business_id = ${businessId} and email is not null
              and created_at <= ${until}
          ) c
        ) ordered
      ) turned
    `),
  )
}

/** A message for each recipient who was sent the campaign. */
export function insertMessages(tx: Tx, { businessId, campaignId }: PastCampaign): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      insert into messages (business_id, id, kind, contact_id, recipient, recipient_mark,
        template_id, template_version_id, state, attempts, due_at, queued_at, created_at,
        updated_at, channel, campaign_id)
      select ${businessId}, r.message_id, 'marketing', r.contact_id, c.email, c.email_mark,
        v.template_id, v.template_version_id, r.state, 1, r.updated_at, r.updated_at,
        r.updated_at, r.updated_at + interval '2 seconds', 'email', ${campaignId}
      from campaign_recipients r
      join contacts c on c.business_id = ${businessId} and c.id = r.contact_id
      join campaign_variants v on v.business_id = ${businessId} and v.campaign_id = ${campaignId}
        and v.position = 0
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and r.message_id is not null
    `),
  )
}

/** The events of each message, by the marks of its recipient. */
export function insertMessageEvents(
  tx: Tx,
  { businessId, campaignId, until }: PastCampaign,
  { url, now }: { url: string; now: Date },
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      insert into message_events (business_id, message_id, id, type, happened_at, code, words, url,
        machine, created_at)
      select ${businessId}, r.message_id,
        (lpad(to_hex((extract(epoch from r.updated_at) * 1000)::bigint + kind.place), 12, '0') || '7'
          || substr(md5(r.message_id::text || kind.type), 1, 3) || 'b'
          || substr(md5(r.message_id::text || kind.type), 4, 15))::uuid,
        kind.type, least(${now}::timestamptz, r.updated_at + kind.later), kind.code, kind.words,
        case when kind.type = 'clicked' then ${url}::text end, kind.machine,
        least(${now}::timestamptz, r.updated_at + kind.later)
      from campaign_recipients r
      join (values
        (1, 'accepted', interval '1 second', '250', '2.0.0 OK, queued', null::boolean, 0),
        (2, 'delivered', interval '2 seconds', '2.0.0', null, null, 0),
        (3, 'bounced', interval '2 seconds', '5.1.1', '550 5.1.1 no such user here', null, 0),
        (4, 'opened', interval '35 seconds', null, null, true, 2),
        (5, 'opened', interval '3 hours', null, null, false, 1),
        (6, 'clicked', interval '184 minutes', null, null, false, 4)
      ) as kind (place, type, later, code, words, machine, mark)
        on (kind.type = 'accepted')
          or (kind.type = r.state)
          or (kind.mark > 0 and r.marks & kind.mark > 0)
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and r.message_id is not null
        and (kind.mark = 0 or r.updated_at + kind.later < ${now} or ${until} < ${now})
    `),
  )
}

/** The same events on the timelines of the contacts. */
export function insertActivity(
  tx: Tx,
  { businessId, campaignId }: PastCampaign,
  { linkHash, now }: { linkHash: Buffer; now: Date },
): Promise<number> {
  return tx.run(
    plannedAnew(sql`
      insert into contact_activity (business_id, contact_id, id, type, details, created_at,
        message_id, campaign_id, channel, link_hash, machine)
      select ${businessId}, r.contact_id,
        (lpad(to_hex((extract(epoch from r.updated_at) * 1000)::bigint + kind.place), 12, '0') || '7'
          || substr(md5(r.message_id::text || kind.type), 1, 3) || 'c'
          || substr(md5(r.message_id::text || kind.type), 4, 15))::uuid,
        kind.type, '{}', least(${now}::timestamptz, r.updated_at + kind.later),
        r.message_id, ${campaignId}, 'email',
        case when kind.mark = 4 then ${linkHash}::bytea end, kind.machine
      from campaign_recipients r
      join (values
        (1, 'message.sent', interval '0', 'any', 0, null::boolean),
        (2, 'message.bounced', interval '2 seconds', 'bounced', 0, null),
        (3, 'message.opened', interval '3 hours', 'delivered', 1, false),
        (4, 'message.clicked', interval '184 minutes', 'delivered', 4, false)
      ) as kind (place, type, later, state, mark, machine)
        on (kind.state = 'any' or kind.state = r.state)
          and (kind.mark = 0 or r.marks & kind.mark > 0)
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and r.message_id is not null
    `),
  )
}
