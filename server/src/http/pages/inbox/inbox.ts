/** The built-in inbox: mail as a mail program would show it, and a listing for tests. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isRefusal, refuse } from '../../../core/errors.ts'
import { formatId, parseId } from '../../../core/ids.ts'
import { findInboxMessage, type InboxMessage, listInbox } from '../../../core/inbox/mail-queries.ts'
import { normaliseEmail } from '../../../lib/email/email-address.ts'
import { html } from '../../../lib/text/html.ts'
import { accountBar } from '../shared/account-bar.ts'
import { sendErrorPage } from '../shared/error-page.ts'
import { inboxIsServed, mayView } from '../shared/inbox-rule.ts'
import { sendPage } from '../shared/page.ts'
import type { PageParts } from '../shared/parts.ts'
import { actionForms, registerInboxActions } from './inbox-actions.ts'
import { inboxBody, linksIn, messageBody, viewOf } from './inbox-view.ts'

const pageSize = 100
const largestPage = 500

const banner = html`<b>Test inbox.</b> Mail ends here: nothing leaves this machine. Whoever runs the installation sets <code>SMTP_URL</code> to send for real.`

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
