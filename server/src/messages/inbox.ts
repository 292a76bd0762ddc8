/**
 * The mail that stays on this machine, for programs: what a business sent in test mode, or, where an
 * installation has no relay, whatever it sent. Mail of the service itself, such as sign-in links, is
 * of no business and never here.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { isRefusal, type Refusal, refuse } from '../core/errors.ts'
import { formatId, type Id, parseId } from '../core/ids.ts'
import { linksIn } from '../core/inbox/mail-links.ts'
import { isMasked, partOfWords } from '../core/masking.ts'
import { type BusinessContext, operation } from '../core/operation.ts'
import { highestId, nextCursor, pageFrom, pageInput, pageOf } from '../core/paging.ts'
import { untrusted } from '../core/untrusted.ts'
import { sql } from '../lib/db/db.ts'
import type { Db } from '../lib/db/types.ts'
import { normaliseEmail } from '../lib/email/email-address.ts'
import { Type } from '../lib/schema/schema.ts'

const limits = { searchLength: 200, waitSeconds: 30, lookAgainMs: 150 }

export interface InboxParts {
  /** `inbox`: mail stays on this machine. */
  email: 'smtp' | 'inbox'
}

const mailFields = {
  mail_id: Type.String(),
  message_id: Type.String(),
  to: Type.String(),
  from: Type.String(),
  received_at: Type.String({ description: 'ISO 8601, UTC.' }),
}
const words = {
  subject: Type.String(),
  text: Type.String(),
  links: Type.Array(Type.String(), { description: 'The links in the text, in order.' }),
}

export function inboxList(parts: InboxParts) {
  return operation({
    name: 'inbox.list',
    title: 'Look into the test inbox',
    area: 'messages',
    summary:
      'Mail that stayed on this machine, newest first: what a test key sent, or everything where the service has no relay. With wait it answers once there is such mail.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/inbox',
    input: {
      to: Type.Optional(Type.String({ maxLength: 320 })),
      search: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: limits.searchLength,
          description: 'Part of the subject or the text.',
        }),
      ),
      wait: Type.Optional(
        Type.String({
          pattern: '^([1-9]|[12]\\d|30)s$',
          description: `For how long to wait for the first such mail: 1s to ${limits.waitSeconds}s.`,
        }),
      ),
      ...pageInput,
    },
    output: Type.Object({
      mails: Type.Array(Type.Object({ ...mailFields, untrusted: untrusted(words) })),
      next_cursor: nextCursor,
    }),

    async run(context, { to, search, wait, ...paging }) {
      checkHasInbox(parts, context)
      if (search !== undefined && isMasked(context)) throw partOfWords('search')
      const page = pageOf('mail', paging)
      const address = to === undefined ? null : normaliseEmail(to)
      const filter = {
        to: isRefusal(address) ? (to ?? null) : address,
        search: search ?? null,
        ...page,
      }
      const end = performance.now() + (wait === undefined ? 0 : Number.parseInt(wait, 10) * 1000)
      let mails = await findMails(context, filter)
      while (mails.length === 0 && performance.now() < end) {
        await sleep(Math.min(limits.lookAgainMs, Math.max(0, end - performance.now())))
        mails = await findMails(context, filter)
      }
      const { shown: mailsOfPage, next } = pageFrom('mail', mails, page, viewOf)
      return { mails: mailsOfPage.map(viewOf), ...next }
    },
  })
}

export function inboxGet(parts: InboxParts) {
  return operation({
    name: 'inbox.get',
    title: 'Read a mail of the test inbox',
    area: 'messages',
    summary: 'One mail of the test inbox, with its HTML and its header as they were sent.',
    reach: 'business',
    scope: 'messaging:send',
    role: 'viewer',
    tier: 'free',
    hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    rest: 'GET /v1/inbox/:mail_id',
    input: {
      mail_id: Type.String({
        description: 'The mail, mai_….',
        pattern: '^mai_[0-9a-hjkmnp-tv-z]{26}$',
      }),
    },
    output: Type.Object({
      ...mailFields,
      untrusted: untrusted({
        ...words,
        html: Type.Union([Type.String(), Type.Null()]),
        header: Type.String({ description: 'The header fields, as they were sent.' }),
      }),
    }),

    async run(context, { mail_id }) {
      checkHasInbox(parts, context)
      const id = parseId('mail', mail_id)
      const mail = id && (await findMail(context.db, context.business.id, id))
      if (!mail) throw noSuchMail(mail_id)
      const view = viewOf(mail)
      const { html, source } = mail
      const end = source.indexOf('\r\n\r\n')
      const header = source.toString('utf8', 0, end === -1 ? source.length : end)
      return { ...view, untrusted: { ...view.untrusted, html, header } }
    },
  })
}

function checkHasInbox({ email }: InboxParts, { principal }: BusinessContext): void {
  if (principal.isTest || email === 'inbox') return
  const text =
    'Mail of this business leaves the machine, so there is no inbox to look into. A test key has one.'
  throw refuse('not_found', text, { data: { reason: 'no_inbox' } })
}

function noSuchMail(id: string): Refusal {
  return refuse('not_found', `This business has no mail ${id} in its inbox.`, {
    field: 'mail_id',
    data: { reason: 'no_such_mail' },
    fix: { tool: 'inbox.list', arguments: {} },
  })
}

interface ShownMail {
  id: Id<'mail'>
  messageId: Id<'message'>
  to: string
  from: string
  subject: string
  text: string
  html: string | null
  createdAt: Date
}

function viewOf({ id, messageId, to, from, subject, text, html, createdAt }: ShownMail) {
  return {
    mail_id: formatId('mail', id),
    message_id: formatId('message', messageId),
    to,
    from,
    received_at: createdAt.toISOString(),
    untrusted: { subject, text, links: linksIn({ text, html }) },
  }
}

interface MailFilter {
  to: string | null
  search: string | null
  before: Id<'mail'> | null
  limit: number
}

function findMails(
  { db, business }: BusinessContext,
  { to, search, before, limit }: MailFilter,
): Promise<ShownMail[]> {
  return db.all(sql`
    select i.id, i.message_id as "messageId", i.recipient as "to", i.sender as "from", i.subject,
      i.body_text as text, i.body_html as html, i.created_at as "createdAt"
    from inbox_messages i
    join messages m on m.business_id = ${business.id} and m.id = i.message_id
    where i.id < ${before ?? highestId}
      and (${to}::text is null or i.recipient = ${to})
      and (${search}::text is null
        or position(lower(${search}) in lower(i.subject || ' ' || i.body_text)) > 0)
    order by i.id desc limit ${limit}
  `)
}

function findMail(
  db: Db,
  businessId: Id<'business'>,
  id: Id<'mail'>,
): Promise<(ShownMail & { source: Buffer }) | undefined> {
  return db.maybe(sql`
    select i.id, i.message_id as "messageId", i.recipient as "to", i.sender as "from", i.subject,
      i.body_text as text, i.body_html as html, i.source, i.created_at as "createdAt"
    from inbox_messages i
    join messages m on m.business_id = ${businessId} and m.id = i.message_id
    where i.id = ${id}
  `)
}
