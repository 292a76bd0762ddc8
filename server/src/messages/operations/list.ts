import { channels } from '../../contacts/model/contact.ts'
import { noSuchContact } from '../../contacts/model/view.ts'
import { contactExists } from '../../contacts/recipients/recipients.ts'
import { isRefusal } from '../../core/errors.ts'
import { formatId, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { nextCursor, pageFrom, pageInput, pageOf } from '../../core/paging.ts'
import { Type } from '../../lib/schema/schema.ts'
import { messageStates } from '../model/message.ts'
import { findFloor, listMessages } from '../model/read-queries.ts'
import { fieldsOf, messageFields } from '../model/view.ts'

export const messageList = operation({
  name: 'message.list',
  title: 'List messages',
  summary:
    'Messages with what became of them, newest first; by status, channel or contact. A page may hold fewer than asked for, or none, while next_cursor shows more. Free, changes nothing.',
  reach: 'business',
  scope: 'messaging:send',
  role: 'viewer',
  tier: 'free',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  rest: 'GET /v1/messages',
  input: {
    status: Type.Optional(Type.Enum(messageStates)),
    channel: Type.Optional(Type.Enum(channels)),
    contact_id: Type.Optional(
      Type.String({ description: 'Contact, con_….', pattern: '^con_[0-9a-hjkmnp-tv-z]{26}$' }),
    ),
    ...pageInput,
  },
  output: Type.Object({
    messages: Type.Array(Type.Object(messageFields)),
    next_cursor: nextCursor,
  }),

  async run({ db, business }, { status, channel, contact_id, ...asked }) {
    const page = pageOf('message', asked)
    if (isRefusal(page)) return page
    const contactId = contact_id === undefined ? null : (parseId('contact', contact_id) ?? null)
    if (contactId && !(await contactExists(db, business.id, contactId))) {
      return noSuchContact(formatId('contact', contactId))
    }
    const filter = { state: status ?? null, channel: channel ?? null, contactId, ...page }
    const rows = await listMessages(db, business.id, filter)
    const { shown, next } = pageFrom('message', rows, page, fieldsOf)
    if (next || (status === undefined && channel === undefined))
      return { messages: shown.map(fieldsOf), ...next }
    const floor = await findFloor(db, business.id, filter)
    return {
      messages: shown.map(fieldsOf),
      ...(floor && { next_cursor: formatId('message', floor) }),
    }
  },
})
