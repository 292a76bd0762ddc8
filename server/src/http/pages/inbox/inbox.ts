/** The built-in inbox: mail as a mail program would show it, and a listing for tests. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ingestBounce } from '../../../bounces/ingest-bounce.ts'
import { bounceSample, complaintSample, type Sample } from '../../../bounces/sample-reports.ts'
import { isRefusal, refuse } from '../../../core/errors.ts'
import { formatId, type Id, parseId } from '../../../core/ids.ts'
import { linksIn } from '../../../core/inbox/mail-links.ts'
import { findInboxMessage, type InboxMessage, listInbox } from '../../../core/inbox/mail-queries.ts'
import { normaliseEmail } from '../../../lib/email/email-address.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { returnPath } from '../../../messages/return-path.ts'
import type { Visit } from '../../../tracking/visitor.ts'
import { visitOf } from '../../visit.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { keyInput } from '../shared/form.ts'
import { inboxIsServed, mayView } from '../shared/inbox-rule.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { ago, fullTime } from '../shared/words.ts'

const pageSize = 100
const largestPage = 500

const banner = html`<b>Test inbox.</b> Email ends here: nothing leaves this machine. Whoever runs the installation sets <code>SMTP_URL</code> to send for real.`

type ById = { Params: { id: string } }

export function registerInbox(scope: FastifyInstance, parts: PageParts): void {
  if (!inboxIsServed(parts.config)) return
  scope.addHook('onRequest', async (request, reply) => {
    if (mayView(parts.config, request)) return undefined
    const text = 'The inbox is shown only under the name of this server, and not through a tunnel.'
    return sendErrorPage(reply, request, refuse('not_found', text))
  })

  scope.get('/inbox', async (request, reply) => {
    const { to, limit } = filterOf(request)
    const messages = await listInbox(parts.db, to, limit)
    return show(request, reply, 'Inbox', inboxBody({ messages, to, now: parts.clock.now() }))
  })

  scope.get('/inbox/messages', async (request, reply) => {
    const { to, limit } = filterOf(request)
    const messages = await listInbox(parts.db, to, limit)
    reply.header('cache-control', 'no-store')
    return { messages: messages.map(listed) }
  })

  scope.get<ById>('/inbox/:id', async (request, reply) => {
    const message = await messageOf(request)
    if (!message) return missing(request, reply)
    const { subject } = message
    const { baseUrl, appUrl } = parts.config
    const { done } = request.query as Record<string, unknown>
    const body = messageBody(message, {
      view: viewOf(request.query),
      ownUrls: [baseUrl, appUrl],
      actions: actionForms(message, parts.cookies.formKey(request, reply), done),
    })
    return show(request, reply, subject, body)
  })

  // A separate page with its own policy: it permits the mail's inline styles, in a sandbox that
  // neither runs scripts nor loads anything.
  scope.get<ById>('/inbox/:id/html', async (request, reply) => {
    const message = await messageOf(request)
    if (!message?.html) return missing(request, reply)
    return reply
      .headers({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data: ${parts.config.baseUrl}/images/; frame-ancestors 'self'`,
        'cache-control': 'no-store',
      })
      .send(message.html.replace(/<head>/i, '$&<base target="_blank">'))
  })

  registerInboxActions(scope, parts)

  const messageOf = async (request: FastifyRequest<ById>) => {
    const id = parseId('mail', request.params.id)
    return id && findInboxMessage(parts.db, id)
  }

  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    title: string,
    body: ReturnType<typeof html>,
  ) => {
    const session = await parts.cookies.session(request, reply)
    const nav = accountBar(parts, request, reply, session, '/inbox')
    return sendPage(reply, { title, body, nav, banner, wide: true, framesOwn: true })
  }
}

function missing(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendErrorPage(reply, request, refuse('not_found', 'There is no such message here.'))
}

/** Normalises `to`. A text that is not an address matches nothing, rather than everything. */
function filterOf(request: FastifyRequest): { to: string | null; limit: number } {
  const query = request.query as Record<string, unknown>
  const typed = query['to']
  const to = typeof typed === 'string' && typed !== '' ? normaliseEmail(typed) : null
  const asked = Number(query['limit'])
  const limit = Number.isInteger(asked) && asked > 0 ? Math.min(asked, largestPage) : pageSize
  return { to: isRefusal(to) ? String(typed) : to, limit }
}

function listed(message: InboxMessage) {
  const { id, messageId, createdAt, ...rest } = message
  return {
    id: formatId('mail', id),
    message_id: messageId && formatId('message', messageId),
    ...rest,
    links: linksIn(message.text),
    created_at: createdAt.toISOString(),
  }
}

const actions = ['bounce', 'complain', 'open', 'click'] as const
type InboxAction = (typeof actions)[number]

const actionLabels: Record<InboxAction, string> = {
  bounce: 'Bounce it',
  complain: 'Complain about it',
  open: 'Open it',
  click: 'Click its first link',
}

const notices: Record<InboxAction, string> = {
  bounce: 'It bounced: its address gets nothing more from this business.',
  complain: 'Somebody complained: its address gets nothing more from this business.',
  open: 'It was opened.',
  click: 'Its first link was clicked; a click is told after a few seconds.',
}

/**
 * The actions of the built-in inbox on a message. They are processed exactly like the report of a
 * remote server, or the request of a person's mail program for an image.
 *
 * Only a business's messages have actions; sign-in mail has no actions.
 */
function actionForms(message: InboxMessage, formKey: string, done: unknown): Html | false {
  if (message.messageId === null) return false
  const id = formatId('mail', message.id)
  const notice = actions.find((action) => action === done)
  return html`${notice && html`<p class="done" role="status">${notices[notice]}</p>`}
${done === 'nothing' && html`<p class="note" role="status">This message has nothing that could count that.</p>`}
<div class="actions" role="group" aria-label="What happens to it">${actions.map(
    (action) =>
      html`<form method="post" action="/inbox/${id}/${action}">${keyInput(formKey)}<button class="quiet small">${actionLabels[action]}</button></form>`,
  )}</div>`
}

type ByAction = { Params: { id: string; action: string } }

function registerInboxActions(scope: FastifyInstance, parts: PageParts): void {
  scope.post<ByAction>('/inbox/:id/:action', async (request, reply) => {
    const foreign = parts.guard(request)
    if (foreign) return sendErrorPage(reply, request, foreign)
    const id = parseId('mail', request.params.id)
    const action = actions.find((word) => word === request.params.action)
    const message = id && (await findInboxMessage(parts.db, id))
    const messageId = message?.messageId
    if (!action || !message || !messageId) {
      const text = 'There is no such message of a business here.'
      return sendErrorPage(reply, request, refuse('not_found', text))
    }
    const visit = { ...visitOf(request), method: 'GET' }
    const isDone = await act(parts, action, { message: { ...message, messageId }, visit })
    return reply.redirect(`/inbox/${request.params.id}?done=${isDone ? action : 'nothing'}`, 303)
  })
}

interface Doing {
  message: InboxMessage & { messageId: Id<'message'> }
  /** The person who uses the inbox acts as the recipient. */
  visit: Visit
}

/** Returns false if the message does not support the action. */
async function act(
  parts: PageParts,
  action: InboxAction,
  { message, visit }: Doing,
): Promise<boolean> {
  const { clicks, opens } = parts.feedback
  switch (action) {
    case 'bounce':
    case 'complain':
      await report(parts, action, message)
      return true
    case 'open': {
      const [token] = tokensIn(message, 'o')
      if (token !== undefined) await opens.keep(token, visit)
      return token !== undefined
    }
    case 'click': {
      const followed = await firstLink(parts, message)
      if (followed) await clicks.keep(followed, visit)
      return followed !== undefined
    }
  }
}

async function report(
  { vault, clock, feedback }: PageParts,
  action: 'bounce' | 'complain',
  { id, messageId, to }: Doing['message'],
): Promise<void> {
  const now = clock.now()
  const recipient = returnPath(vault, messageId, 'inbox.invalid')
  const sample: Sample = {
    to,
    returnPath: recipient,
    id: `${action}.${formatId('mail', id)}`,
    at: now,
  }
  const source = action === 'bounce' ? bounceSample(sample) : complaintSample(sample)
  await ingestBounce(feedback.reports, { recipient, source, now })
}

function tokensIn({ html: page, text }: InboxMessage, path: 'c' | 'o'): string[] {
  const found = (page ?? text).matchAll(new RegExp(`/${path}/([\\w-]+)`, 'g'))
  return [...found].map(([, token = '']) => token)
}

/** The first link that a person would see. */
async function firstLink({ feedback }: PageParts, message: InboxMessage) {
  for (const token of tokensIn(message, 'c')) {
    const followed = await feedback.clicks.find(token)
    if (followed && followed.url !== null) return followed
  }
  return undefined
}

function inboxBody({
  messages,
  to,
  now,
}: {
  messages: readonly InboxMessage[]
  to: string | null
  now: Date
}): Html {
  return html`<h1>Inbox</h1>
<form method="get" action="/inbox" class="filter" role="search">
<label for="to">To</label>
<input id="to" name="to" type="search" value="${to ?? ''}" placeholder="any address">
<button class="quiet">Filter</button>
</form>
${
  messages.length === 0
    ? html`<section class="empty"><h2>No email${to !== null && html` to ${to}`} yet</h2>
<p>Email shows up here within a second or two of being sent. Reload to look again.</p></section>`
    : html`<ul class="rows mails">${messages.map((message) => line(message, now))}</ul>`
}`
}

function line(message: InboxMessage, now: Date): Html {
  const at = message.createdAt
  return html`<li>
<a href="/inbox/${formatId('mail', message.id)}">${message.subject}</a>
<span class="fine">${message.to}</span>
<time class="fine" datetime="${at.toISOString()}" title="${fullTime(at)}">${ago(at, now)}</time>
</li>`
}

const views = ['html', 'text', 'headers', 'source'] as const
type View = (typeof views)[number]
const viewLabels: Record<View, string> = {
  html: 'HTML',
  text: 'Text',
  headers: 'Headers',
  source: 'Source',
}

function viewOf(query: unknown): View {
  const asked = (query as Record<string, unknown>)['view']
  return views.find((view) => view === asked) ?? 'html'
}

function messageBody(
  message: InboxMessage & { source: Buffer },
  { view, ownUrls, actions }: { view: View; ownUrls: readonly string[]; actions: Html | false },
): Html {
  const id = formatId('mail', message.id)
  const magic = linksIn(message.text).find((link) =>
    ownUrls.some((url) => link.startsWith(`${url}/sign-in/`)),
  )
  return html`<p><a href="/inbox">← Inbox</a></p>
<h1>${message.subject}</h1>
<p class="fine">From ${message.from} to <b>${message.to}</b> · ${fullTime(message.createdAt)}</p>
${magic !== undefined && html`<p><a class="button" href="${magic}">Follow the sign-in link</a></p>`}
${actions}
<nav class="tabs" aria-label="Forms of the message">${views.map(
    (word) =>
      html`<a href="/inbox/${id}?view=${word}"${word === view && html` aria-current="page"`}>${viewLabels[word]}</a>`,
  )}</nav>
${shown(message, view, id)}`
}

function shown(message: InboxMessage & { source: Buffer }, view: View, id: string): Html {
  const source = message.source.toString('utf8')
  switch (view) {
    case 'html':
      return message.html === null
        ? block(message.text, 'Text')
        : html`<iframe class="mail" title="The message as HTML" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/inbox/${id}/html"></iframe>`
    case 'text':
      return block(message.text, 'Text')
    case 'headers':
      return block(source.split(/\r?\n\r?\n/, 1)[0] ?? '', 'Headers')
    case 'source':
      return block(source, 'Source')
  }
}

/** Focusable by keyboard, because its content may scroll. */
function block(text: string, label: string): Html {
  return html`<pre class="block" tabindex="0" role="region" aria-label="${label}">${text}</pre>`
}
