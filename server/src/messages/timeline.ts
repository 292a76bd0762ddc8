/** The timeline of a message: its events, with the text of the remote servers' replies. */

import type { Id } from '../core/ids.ts'
import { untrusted } from '../core/untrusted.ts'
import type { Db } from '../lib/db/types.ts'
import { type Static, Type } from '../lib/schema/schema.ts'
import { findMessage, listMessageEvents, type MessageEvent, type ShownMessage } from './view.ts'

/** The most events shown. A link that machines follow again and again has clicks without end. */
const eventsShown = 500

export const eventView = Type.Object({
  type: Type.String(),
  at: Type.String({ description: 'ISO 8601, UTC.' }),
  code: Type.Optional(Type.String()),
  machine: Type.Optional(Type.Boolean()),
  untrusted: Type.Optional(
    untrusted({ url: Type.Optional(Type.String()), words: Type.Optional(Type.String()) }),
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
    ...(machine !== null && { machine }),
    ...((url !== null || words !== null) && {
      untrusted: { ...(url !== null && { url }), ...(words !== null && { words }) },
    }),
  }
}
