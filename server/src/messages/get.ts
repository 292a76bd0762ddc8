import { parseId } from '../platform/ids.ts'
import { operation } from '../platform/operation.ts'
import { Type } from '../platform/schema.ts'
import { eventView, storyOf } from './story.ts'
import { fieldsOf, messageFields, messageIdInput, noSuchMessage } from './view.ts'

export const messageGet = operation({
  name: 'message.get',
  title: 'Look at a message',
  summary:
    "One message: its state, and every event of it with the receiving side's own words, oldest first. Free, changes nothing.",
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
    const story = id && (await storyOf(db, business.id, id))
    if (!story) return noSuchMessage(message_id)
    return { ...fieldsOf(story.message), events: story.events }
  },
})
