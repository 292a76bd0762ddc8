/** Finds the values that contacts lack. */

import { covers } from '../../contacts/consent/covers.ts'
import { sql } from '../../lib/db/db.ts'
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Db } from '../../lib/db/types.ts'
import { type AudienceAsked, fittingFilter, plannedFor } from '../audience/audience-queries.ts'

export type MissingAudience = Omit<AudienceAsked, 'range' | 'quota'>

interface MissingAsked extends MissingAudience {
  /** The keys of attributes. */
  keys: string[]
  limit: number
}

export interface MissingFound {
  looked: number
  nameless: number
  /** How many contacts lack a value, in the order of the keys. */
  lacking: number[]
}

/** Examines the newest contacts who consented to the channel. */
export function countMissing(db: Db, asked: MissingAsked): Promise<MissingFound> {
  const { businessId, channel, topic, audience, keys, limit } = asked
  const tags = audience.tags ?? null
  return db.one(
    plannedFor(
      audience,
      sqlWithin`
      with newest as materialized (
        select name, attributes from contacts c
        where business_id = ${businessId}
          and case when ${channel} = 'email' then email_consent else sms_consent end = 'subscribed'
          and ${covers({ channel: sql`${channel}::text`, topic: sql`${topic}::text` })}
          and (${tags}::text[] is null or tags && ${tags}::text[])
          and ${fittingFilter(asked)}
        order by id desc limit ${limit}
      )
      select count(*)::int as looked, (count(*) filter (where name is null))::int as nameless,
        array(
          select (select count(*)::int from newest where not attributes ? key)
          from unnest(${keys}::text[]) with ordinality as asked (key, place) order by place
        ) as lacking
      from newest
    `,
    ),
  )
}
