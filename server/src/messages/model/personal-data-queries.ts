/** Statements about messages by the contact they were sent to. */

import type { ErasedPerson, MergedContact } from '../../contacts/personal-data.ts'
import { sql } from '../../lib/db/db.ts'
import type { Tx } from '../../lib/db/types.ts'

export function moveMessages(tx: Tx, { businessId, from, to }: MergedContact): Promise<number> {
  return tx.run(sql`
    update messages set contact_id = ${to}
    where business_id = ${businessId} and contact_id = ${from}
  `)
}

/**
 * Cancels scheduled messages outside campaigns, whose time may be months away. Campaigns cancel
 * their own.
 */
export function cancelScheduled(
  tx: Tx,
  { businessId, contactIds }: ErasedPerson,
  now: Date,
): Promise<number> {
  return tx.run(sql`
    update messages set state = 'cancelled', updated_at = ${now}
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
      and state = 'scheduled' and campaign_id is null
  `)
}

/**
 * Removes recipient, content and remote servers' replies from finished messages, and the
 * recipient's address from the header of copies that went to others.
 */
export function blankMessages(tx: Tx, { businessId, contactIds }: ErasedPerson): Promise<number> {
  return tx.run(sql`
    with blanked as (
      update messages set recipient = 'erased', labels = null
      where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
        and state in ('accepted', 'delivered', 'bounced', 'failed', 'unknown', 'suppressed',
          'cancelled')
        and recipient <> 'erased'
      returning id
    ), said as (
      delete from message_contents
      where business_id = ${businessId} and message_id = any(array(select id from blanked))
      returning message_id, copy_of
    ), original as (
      update message_contents set header_fields = header_fields - 'to' - 'cc'
      where business_id = ${businessId}
        and message_id = any(array(select copy_of from said where copy_of is not null))
        and message_id <> all(array(select message_id from said))
    ), copies as (
      update message_contents set header_fields = header_fields - 'to' - 'cc'
      where business_id = ${businessId}
        and copy_of = any(array(select coalesce(copy_of, message_id) from said))
        and message_id <> all(array(select message_id from said))
    )
    update message_events set words = null, url = null
    where business_id = ${businessId} and message_id = any(array(select id from blanked))
  `)
}

export async function hasOpenMessages(
  tx: Tx,
  { businessId, contactIds }: ErasedPerson,
): Promise<boolean> {
  const message = await tx.maybe(sql`
    select 1 from messages
    where business_id = ${businessId} and contact_id = any(${contactIds}::uuid[])
      and state in ('scheduled', 'queued', 'attempting', 'deferred')
    limit 1
  `)
  return message !== undefined
}
