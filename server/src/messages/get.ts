import { refuse } from '../core/errors.ts'
import { parseId } from '../core/ids.ts'
import { allows, type BusinessContext, operation } from '../core/operation.ts'
import { untrusted } from '../core/untrusted.ts'
import { Type } from '../lib/schema/schema.ts'
import { eventView, timelineOf } from './timeline.ts'
import { contentView, fieldsOf, messageFields, messageIdInput, noSuchMessage } from './view.ts'
import type { ViewDeps } from './view-mail.ts'

const { untrusted: strangersText, ...plainFields } = messageFields

/** Whoever sees the words of a message may send one. */
const roleOfContent = 'editor'

export function messageGet({ viewing }: { viewing: ViewDeps }) {
  return operation({
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
    rest: ['GET /v1/messages/:message_id', 'GET /v1/emails/:message_id'],
    input: {
      message_id: messageIdInput,
      content: Type.Optional(
        Type.Boolean({ description: 'Its words and headers, too. Needs the role editor.' }),
      ),
    },
    seldom: ['content'],
    output: Type.Object({
      ...plainFields,
      events: Type.Array(eventView),
      untrusted: untrusted({
        ...strangersText.properties,
        content: Type.Optional(Type.Union([contentView, Type.Null()])),
      }),
    }),

    async run(context, { message_id, content = false }) {
      const { db, business } = context
      if (content) checkRole(context)
      const id = parseId('message', message_id)
      const story = id && (await timelineOf(db, business.id, id))
      if (!id || !story) throw noSuchMessage(message_id)
      const { untrusted: words, ...fields } = fieldsOf(story.message)
      const whole = content && {
        content: await import('./sent-content.ts').then(({ sentContent }) =>
          sentContent(viewing, { businessId: business.id, id }),
        ),
      }
      return { ...fields, events: story.events, untrusted: { ...words, ...whole } }
    },
  })
}

function checkRole({ business }: BusinessContext): void {
  if (allows(business.role, { role: roleOfContent })) return
  const text = `content needs the role ${roleOfContent}; this person is ${business.role} of the business. Leave content out to see what became of the message.`
  throw refuse('role_required', text, {
    field: 'content',
    data: { role: roleOfContent },
    fix: { tool: 'business.list', arguments: {} },
  })
}
