/**
 * Returns an SQL condition that is never null: whether the topic choices of a contact `c` cover a
 * message on a channel, about a topic or about none (docs/design/consent.md). In addition, the
 * channel itself must be subscribed.
 */
import { sqlWithin } from '../../lib/db/db.ts'
import type { Sql } from '../../lib/db/types.ts'

export function covers({ channel, topic }: { channel: Sql; topic: Sql }): Sql {
  return sqlWithin`(c.topics = '{}' or coalesce(c.topics -> ${channel} ->> ${topic},
    case when jsonb_path_exists(c.topics -> ${channel}, '$.* ? (@ == "subscribed")')
      then 'unsubscribed' else 'subscribed' end) = 'subscribed')`
}
