import { channels, noSuchContact } from '../contacts/contact.ts'
import { contactExists } from '../contacts/recipients.ts'
import { isRefusal } from '../core/errors.ts'
import { formatId, type Id, lowestIdAt, parseId } from '../core/ids.ts'
import { isMasked, partOfWords } from '../core/masking.ts'
import { momentInput, readMoment } from '../core/moment.ts'
import { operation } from '../core/operation.ts'
import {
  inView,
  isBrief,
  nextCursor,
  pageFrom,
  pageInput,
  pageOf,
  viewInput,
} from '../core/paging.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { normalisePhone } from '../lib/phone/phone-number.ts'
import { Type } from '../lib/schema/schema.ts'
import { labelLimits, tagInput } from './labels.ts'
import { messageStates } from './message.ts'
import { type FindTemplate, noSuchTemplate } from './send-input.ts'
import { fieldsOf, findFloor, listMessages, messageFields, type ShownMessage } from './view.ts'

/** The spelling of an address or a number in messages. Any other text finds no message. */
function spellingOf(to: string): string {
  const email = normaliseEmail(to)
  if (!isRefusal(email)) return email
  const phone = normalisePhone(to)
  return isRefusal(phone) ? to : phone
}

/** The earlier of two ends: where the previous page stopped, or the requested moment. */
function earlier(before: Id<'message'> | null, until: Date | undefined): Id<'message'> | null {
  if (!until) return before
  const end = lowestIdAt('message', until)
  return before === null || end < before ? end : before
}

/** `KEY=VALUE`; a value may have a `=` of its own. */
function pairOf(text: string): Record<string, string> {
  const at = text.indexOf('=')
  return { [text.slice(0, at)]: text.slice(at + 1) }
}

export function messageList({ findTemplate }: { findTemplate: FindTemplate }) {
  return operation({
    name: 'message.list',
    title: 'List messages',
    area: 'messages',
    everyday: true,
    summary:
      'Messages with their status, newest first; by any of the fields below. A page may hold fewer than asked for, or none, while next_cursor shows more.',
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
      to: Type.Optional(Type.String({ maxLength: 320 })),
      subject: Type.Optional(
        Type.String({ minLength: 1, maxLength: 200, description: 'Occurs in the subject.' }),
      ),
      metadata: Type.Optional(
        Type.String({
          maxLength: labelLimits.keyLength + 1 + labelLimits.valueLength,
          pattern: '^[^=]+=',
          description: 'KEY=VALUE, as the sender gave it.',
        }),
      ),
      tag: tagInput,
      template_id: Type.Optional(Type.String({ pattern: '^tpl_[0-9a-hjkmnp-tv-z]{26}$' })),
      since: Type.Optional(momentInput('ISO 8601.')),
      until: Type.Optional(momentInput()),
      view: viewInput,
      ...pageInput,
    },
    seldom: ['subject', 'metadata', 'view'],
    output: Type.Object({
      messages: Type.Array(Type.Object(messageFields)),
      next_cursor: nextCursor,
      note: Type.Optional(Type.String()),
    }),

    async run(context, { status, channel, contact_id, ...input }) {
      const { db, business } = context
      const { to, subject, metadata, tag, template_id, since, until, view, ...paging } = input
      if (subject !== undefined && isMasked(context)) throw partOfWords('subject')
      const page = pageOf('message', paging)
      const contactId = contact_id === undefined ? null : (parseId('contact', contact_id) ?? null)
      if (contactId && !(await contactExists(db, business.id, contactId))) {
        throw noSuchContact(formatId('contact', contactId))
      }
      const templateId = template_id === undefined ? null : parseId('template', template_id)
      if (
        template_id !== undefined &&
        !(templateId && (await findTemplate(db, business.id, templateId)))
      ) {
        throw noSuchTemplate(template_id)
      }
      const from = readMoment(since, 'since')
      const end = readMoment(until, 'until')
      const filter = {
        state: status ?? null,
        channel: channel ?? null,
        contactId,
        to: to === undefined ? null : spellingOf(to),
        subject: subject ?? null,
        metadata: metadata === undefined ? null : pairOf(metadata),
        tag: tag ?? null,
        templateId: templateId ?? null,
        from: from ? lowestIdAt('message', from) : null,
        ...page,
        before: earlier(page.before, end),
      }
      const isPicky = [status, channel, to, subject, metadata, tag, template_id].some(
        (text) => text !== undefined,
      )
      const rows = await listMessages(db, business.id, filter)
      const brief = isBrief(context, view)
      const shownOf = (row: ShownMessage) => inView(fieldsOf(row), { brief, fields: briefFields })
      const { shown: messages, next } = pageFrom('message', rows, page, shownOf)
      const floor = next || !isPicky ? undefined : await findFloor(db, business.id, filter)
      const follows = next ?? (floor && { next_cursor: formatId('message', floor) })
      const note =
        messages.length === 0 && paging.cursor === undefined && !follows
          ? await noteOfNothing(db, business.id)
          : undefined
      return { messages: messages.map(shownOf), ...follows, ...(note && { note }) }
    },
  })
}

/** An empty list may mean that nothing was sent, or that the conditions leave nothing. */
async function noteOfNothing(db: Db, businessId: Id<'business'>): Promise<string> {
  const message = await db.maybe(sql`
    select from messages where business_id = ${businessId} limit 1
  `)
  return message
    ? 'No message matches: others of this business do not fit these conditions.'
    : 'This business has no messages: none was sent, or all are past their retention.'
}

const briefFields = [
  'message_id',
  'channel',
  'kind',
  'to',
  'contact_id',
  'campaign_id',
  'status',
  'created_at',
  'untrusted',
] as const
