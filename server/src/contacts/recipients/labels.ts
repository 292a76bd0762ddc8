/** How a list of recipients names contacts: by their address and name of today. */
import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Channel } from '../contact.ts'

export interface RecipientLabel {
  address: string | null
  name: string | null
}

/** Contacts that were deleted since are missing. */
export async function recipientLabels(
  db: Db,
  businessId: Id<'business'>,
  { channel, contactIds }: { channel: Channel; contactIds: readonly Id<'contact'>[] },
): Promise<Map<Id<'contact'>, RecipientLabel>> {
  if (contactIds.length === 0) return new Map()
  const rows = await db.all<RecipientLabel & { id: Id<'contact'> }>(sql`
    select id, case ${channel}::text when 'sms' then phone else email end as address, name
    from contacts where business_id = ${businessId} and id = any(${contactIds}::uuid[])
  `)
  return new Map(rows.map(({ id, ...label }) => [id, label]))
}
