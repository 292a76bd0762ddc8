/** Statements that resend a campaign to recipients whose outcome is unknown. */

import { covers } from '../contacts/consent/covers.ts'
import type { Id } from '../core/ids.ts'
import { plannedAnew, sql, sqlWithin } from '../lib/db/db.ts'
import type { Tx } from '../lib/db/types.ts'
import type { RunKey } from './campaign-run.ts'

export interface UnknownRecipient {
  contactId: Id<'contact'>
  variant: number | null
  marks: number
  /** Null if the contact no longer exists, or no longer has such an address. */
  address: string | null
  mark: Buffer | null
  consent: string | null
  /** Whether the contact's choices cover the topic; null where the contact is gone. */
  isCovered: boolean | null
}

interface ResendQuery {
  channel: 'email' | 'sms'
  topic: string | null
  /** The contacts to resend to; null for all. */
  contactIds: readonly Id<'contact'>[] | null
  limit: number
}

/** Locked until the transaction ends, so that two simultaneous calls send once. */
export function lockUnknown(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  { channel, topic, contactIds, limit }: ResendQuery,
): Promise<UnknownRecipient[]> {
  return tx.all(sqlWithin`
    select r.contact_id as "contactId", r.variant, r.marks,
      case when ${channel} = 'email' then c.email else c.phone end as address,
      case when ${channel} = 'email' then c.email_mark else c.phone_mark end as mark,
      case when ${channel} = 'email' then c.email_consent else c.sms_consent end as consent,
      ${covers({ channel: sql`${channel}::text`, topic: sql`${topic}::text` })} as "isCovered"
    from campaign_recipients r
    left join contacts c on c.business_id = r.business_id and c.id = r.contact_id
    where r.business_id = ${businessId} and r.campaign_id = ${campaignId} and r.in_doubt
      and (${contactIds}::uuid[] is null or r.contact_id = any(${contactIds}::uuid[]))
    order by r.contact_id limit ${limit} for no key update of r
  `)
}

export interface Again {
  contactId: Id<'contact'>
  id: Id<'message'>
}

export function takeAgain(
  tx: Tx,
  { businessId, campaignId }: RunKey,
  rows: readonly Again[],
  now: Date,
): Promise<number> {
  const contactIds = rows.map((row) => row.contactId)
  return tx.run(
    plannedAnew(sql`
      update campaign_recipients r
      set state = 'taken', reason = null, message_id = new.message_id, updated_at = ${now}
      from unnest(
        ${contactIds}::uuid[], ${rows.map((row) => row.id)}::uuid[]
      ) as new (contact_id, message_id)
      where r.business_id = ${businessId} and r.campaign_id = ${campaignId}
        and r.contact_id = any(${contactIds}::uuid[])
        and r.contact_id = new.contact_id and r.state = 'unknown'
    `),
  )
}
