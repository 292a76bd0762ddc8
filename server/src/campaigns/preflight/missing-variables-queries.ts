/** The statement that looks for values which contacts do not have. */

import type { Id } from '../../core/ids.ts'
import { replanned, sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { CampaignChannel } from '../model/campaign.ts'

export interface MissingAsked {
  channel: CampaignChannel
  tags: string[] | null
  /** Keys of attributes. */
  keys: string[]
  limit: number
}

export interface MissingFound {
  looked: number
  nameless: number
  /** By key, in order. */
  lacking: number[]
}

/** Among the newest of those who agreed to the channel. */
export function countMissing(
  db: Db,
  businessId: Id<'business'>,
  { channel, tags, keys, limit }: MissingAsked,
): Promise<MissingFound> {
  return db.one(
    replanned(sql`
      with newest as materialized (
        select name, attributes from contacts
        where business_id = ${businessId}
          and case when ${channel} = 'email' then email_consent else sms_consent end = 'subscribed'
          and (${tags}::text[] is null or tags && ${tags}::text[])
        order by id desc limit ${limit}
      )
      select count(*)::int as looked, (count(*) filter (where name is null))::int as nameless,
        array(
          select (select count(*)::int from newest where not attributes ? key)
          from unnest(${keys}::text[]) with ordinality as asked (key, place) order by place
        ) as lacking
      from newest
    `),
  )
}
