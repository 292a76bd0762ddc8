/** The built-in inbox: mail as a mail program would show it, and a listing for tests. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { MailLanguage } from '../../../accounts/businesses/mail-language.ts'
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
import { visitOf } from '../../caller-address.ts'
import { pageLanguageOf } from '../auth/sign-in-words.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { keyInput } from '../shared/form.ts'
import { inboxIsServed, mayView } from '../shared/inbox-rule.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { ago, fullTime } from '../shared/words.ts'
import { type InboxWords, inboxWords } from './inbox-words.ts'

const pageSize = 100
const largestPage = 500

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
    const language = pageLanguageOf(request)
    const body = inboxBody({ messages, to, now: parts.clock.now(), language })
    return show(request, reply, inboxWords(language).inbox.title, body)
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
    const language = pageLanguageOf(request)
    const body = messageBody(message, {
      view: viewOf(request.query),
      ownUrls: [baseUrl, appUrl],
      language,
      actions: actionForms(message, {
        formKey: parts.cookies.formKey(request, reply),
        done,
        language,
      }),
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
    const language = pageLanguageOf(request)
    const [name, about, end] = inboxWords(language).inbox.banner
    const banner = html`<b>${name}</b> ${about}<code>SMTP_URL</code>${end}`
    return sendPage(reply, { title, body, nav, banner, language, wide: true, framesOwn: true })
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
  const wantedLimit = Number(query['limit'])
  const limit =
    Number.isInteger(wantedLimit) && wantedLimit > 0 ? Math.min(wantedLimit, largestPage) : pageSize
  return { to: isRefusal(to) ? String(typed) : to, limit }
}

function listed(message: InboxMessage) {
  const { id, messageId, createdAt, ...rest } = message
  return {
    id: formatId('mail', id),
    message_id: messageId && formatId('message', messageId),
    ...rest,
    links: linksIn(message),
    created_at: createdAt.toISOString(),
  }
}

const actions = ['bounce', 'complain', 'open', 'click'] as const
type InboxAction = (typeof actions)[number]

/**
 * The actions of the built-in inbox on a message. They are processed exactly like the report of a
 * remote server, or the request of a person's mail program for an image.
 *
 * Only a business's messages have actions; sign-in mail has no actions.
 */
function actionForms(
  message: InboxMessage,
  { formKey, done, language }: { formKey: string; done: unknown; language: MailLanguage },
): Html | false {
  if (message.messageId === null) return false
  const words = inboxWords(language).inbox
  const id = formatId('mail', message.id)
  const notice = actions.find((action) => action === done)
  return html`${notice && html`<p class="done" role="status">${words.notices[notice]}</p>`}
${done === 'nothing' && html`<p class="note" role="status">${words.nothing}</p>`}
<div class="actions" role="group" aria-label="${words.what}">${actions.map(
    (action) =>
      html`<form method="post" action="/inbox/${id}/${action}">${keyInput(formKey)}<button class="quiet small">${words.actions[action]}</button></form>`,
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
  const matches = (page ?? text).matchAll(new RegExp(`/${path}/([\\w-]+)`, 'g'))
  return [...matches].map(([, token = '']) => token)
}

/** The first link that a person would see. */
async function firstLink({ feedback }: PageParts, message: InboxMessage) {
  for (const token of tokensIn(message, 'c')) {
    const followed = await feedback.clicks.find(token)
    if (followed && followed.url !== null) return followed
  }
  return undefined
}

interface InboxPage {
  messages: readonly InboxMessage[]
  to: string | null
  now: Date
  language: MailLanguage
}

function inboxBody({ messages, to, now, language }: InboxPage): Html {
  const words = inboxWords(language).inbox
  return html`<h1>${words.title}</h1>
<form method="get" action="/inbox" class="filter" role="search">
<label for="to">${words.to}</label>
<input id="to" name="to" type="search" value="${to ?? ''}" placeholder="${words.any}">
<button class="quiet">${words.filter}</button>
</form>
${
  messages.length === 0
    ? html`<section class="empty"><h2>${words.none(to)}</h2>
<p>${words.soon}</p></section>`
    : html`<ul class="rows mails">${messages.map((message) => line(message, now, language))}</ul>`
}`
}

function line(message: InboxMessage, now: Date, language: MailLanguage): Html {
  const at = message.createdAt
  return html`<li>
<a href="/inbox/${formatId('mail', message.id)}">${message.subject}</a>
<span class="fine">${message.to}</span>
<time class="fine" datetime="${at.toISOString()}" title="${fullTime(at, language)}">${ago(at, now, language)}</time>
</li>`
}

const views = ['html', 'text', 'headers', 'source'] as const
type View = (typeof views)[number]

function viewOf(query: unknown): View {
  const viewName = (query as Record<string, unknown>)['view']
  return views.find((view) => view === viewName) ?? 'html'
}

interface ShownMessage {
  view: View
  ownUrls: readonly string[]
  actions: Html | false
  language: MailLanguage
}

function messageBody(
  message: InboxMessage & { source: Buffer },
  { view, ownUrls, actions, language }: ShownMessage,
): Html {
  const words = inboxWords(language).inbox
  const [from, to] = words.line
  const id = formatId('mail', message.id)
  const magic = linksIn(message).find((link) =>
    ownUrls.some((url) => link.startsWith(`${url}/sign-in/`)),
  )
  return html`<p><a href="/inbox">← ${words.title}</a></p>
<h1>${message.subject}</h1>
<p class="fine">${from}${message.from}${to}<b>${message.to}</b> · ${fullTime(message.createdAt, language)}</p>
${magic !== undefined && html`<p><a class="button" href="${magic}">${words.signIn}</a></p>`}
${actions}
<nav class="tabs" aria-label="${words.forms}">${views.map(
    (word) =>
      html`<a href="/inbox/${id}?view=${word}"${word === view && html` aria-current="page"`}>${words.views[word]}</a>`,
  )}</nav>
${shown(message, { view, id, words })}`
}

function shown(
  message: InboxMessage & { source: Buffer },
  { view, id, words }: { view: View; id: string; words: InboxWords['inbox'] },
): Html {
  const source = message.source.toString('utf8')
  switch (view) {
    case 'html':
      return message.html === null
        ? block(message.text, words.views.text)
        : html`<iframe class="mail" title="${words.asHtml}" sandbox="allow-popups allow-popups-to-escape-sandbox" src="/inbox/${id}/html"></iframe>`
    case 'text':
      return block(message.text, words.views.text)
    case 'headers':
      return block(source.split(/\r?\n\r?\n/, 1)[0] ?? '', words.views.headers)
    case 'source':
      return block(source, words.views.source)
  }
}

/** Focusable by keyboard, because its content may scroll. */
function block(text: string, label: string): Html {
  return html`<pre class="block" tabindex="0" role="region" aria-label="${label}">${text}</pre>`
}
