/** The timeline of a message: its events, with the text of the remote servers' replies. */

import type { Id } from '../../core/ids.ts'
import { untrusted } from '../../core/untrusted.ts'
import type { Db } from '../../lib/db/types.ts'
import { type Static, Type } from '../../lib/schema/schema.ts'
import {
  findMessage,
  listMessageEvents,
  type MessageEvent,
  type ShownMessage,
} from '../model/read-queries.ts'

/** The most events shown. A link that machines follow again and again has clicks without end. */
const eventsShown = 500

export const eventView = Type.Object({
  type: Type.String({
    description:
      'scheduled, queued, accepted, deferred, delivered, bounced, failed, unknown, suppressed, cancelled, complained, opened or clicked.',
  }),
  at: Type.String({ description: 'ISO 8601, UTC.' }),
  code: Type.Optional(
    Type.String({ description: 'Status of the remote server, such as 5.1.1 or 250.' }),
  ),
  url: Type.Optional(Type.String({ description: 'Where the clicked link leads.' })),
  machine: Type.Optional(
    Type.Boolean({ description: 'A scanner or a mail proxy did it, as far as can be told.' }),
  ),
  untrusted: Type.Optional(
    untrusted({ words: Type.String({ description: "The remote server's own words." }) }),
  ),
})

export interface Timeline {
  message: ShownMessage
  /** Oldest first. */
  events: Static<typeof eventView>[]
}

export async function timelineOf(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'message'>,
): Promise<Timeline | undefined> {
  const message = await findMessage(db, businessId, id)
  if (!message) return undefined
  const events = await listMessageEvents(db, businessId, message, eventsShown)
  return { message, events: [...beginningOf(message), ...events.map(viewOf)] }
}

/** Builds the first events, which the message's row itself records. */
function beginningOf({ createdAt, queuedAt }: ShownMessage): Timeline['events'] {
  const queued = queuedAt && { type: 'queued', at: queuedAt.toISOString() }
  if (queued && queuedAt.getTime() === createdAt.getTime()) return [queued]
  return [{ type: 'scheduled', at: createdAt.toISOString() }, ...(queued ? [queued] : [])]
}

function viewOf({ type, at, code, words, url, machine }: MessageEvent) {
  return {
    type,
    at: at.toISOString(),
    ...(code !== null && { code }),
    ...(url !== null && { url }),
    ...(machine !== null && { machine }),
    ...(words !== null && { untrusted: { words } }),
  }
}
