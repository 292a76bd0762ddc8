/** Reads the content of messages. */

import type { Id } from '../../core/ids.ts'
import { sql } from '../../lib/db/db.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Content } from './message.ts'

export interface ContentKey {
  businessId: Id<'business'>
  id: Id<'message'>
}

export function findContents(db: Db, keys: ContentKey[]): Promise<(Content & { id: string })[]> {
  return db.all(sql`
    select c.message_id as id, c.subject, c.html, c.body_text as text, c.variables, c.attachments,
      c.header_fields as fields, c.language,
      c.track_opens as "trackOpens", c.track_clicks as "trackClicks"
    from unnest(
      ${keys.map((key) => key.businessId)}::uuid[], ${keys.map((key) => key.id)}::uuid[]
    ) as asked (business_id, id)
    join message_contents c on c.business_id = asked.business_id and c.message_id = asked.id
  `)
}
