import { parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { Type } from '../../lib/schema/schema.ts'
import { fieldsOf, messageFields, messageIdInput, noSuchMessage } from '../model/view.ts'
import { eventView, timelineOf } from '../timeline/timeline.ts'

export const messageGet = operation({
  name: 'message.get',
  title: 'Look at a message',
  area: 'messages',
  everyday: true,
  summary:
    "One message: its state, and every event of it with the receiving side's own words, oldest first.",
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/messages/:message_id',
  input: { message_id: messageIdInput },
  output: Type.Object({ ...messageFields, events: Type.Array(eventView) }),

  async run({ db, business }, { message_id }) {
    const id = parseId('message', message_id)
    const story = id && (await timelineOf(db, business.id, id))
    if (!story) throw noSuchMessage(message_id)
    return { ...fieldsOf(story.message), events: story.events }
  },
})
