/**
 * Whether what a contact `c` said of topics covers a message on a channel about a topic, or about
 * none, as a condition of SQL that is never null (docs/design/consent.md). The channel itself must
 * be subscribed besides.
 */
import { sqlWithin } from '../../lib/db/sql-within.ts'
import type { Sql } from '../../lib/db/types.ts'

export function covers({ channel, topic }: { channel: Sql; topic: Sql }): Sql {
  return sqlWithin`(c.topics = '{}' or coalesce(c.topics -> ${channel} ->> ${topic},
    case when jsonb_path_exists(c.topics -> ${channel}, '$.* ? (@ == "subscribed")')
      then 'unsubscribed' else 'subscribed' end) = 'subscribed')`
}
