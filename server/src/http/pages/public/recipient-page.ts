/**
 * Pages for people who get messages. They know the business that writes to them and not the
 * service that carries it: its name stands on top, and no link leads into the app.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, statusOf } from '../../../core/errors.ts'
import { html } from '../../../lib/text/html.ts'
import { errorTitle } from '../shared/error-page.ts'
import { type Page, sendPage } from '../shared/page.ts'

export interface RecipientPage
  extends Pick<
    Page,
    'title' | 'body' | 'status' | 'language' | 'colour' | 'formGoesTo' | 'shownOn' | 'bare'
  > {
  /** Undefined where the link does not say whose it is. */
  business: string | undefined
}

export function sendRecipientPage(
  reply: FastifyReply,
  { business, ...page }: RecipientPage,
): FastifyReply {
  return sendPage(reply, { ...page, recipientOf: { business } })
}

/** What happened and what to do, for somebody who came from a message. */
export function sendRecipientError(
  reply: FastifyReply,
  request: FastifyRequest,
  refusal: Refusal,
  business?: string,
): FastifyReply {
  const title = refusal.code === 'not_found' ? 'This link does not work' : errorTitle(refusal)
  const { retryAfter } = refusal.details
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return sendRecipientPage(reply, {
    business,
    title,
    status: statusOf[refusal.code],
    body: html`<h1>${title}</h1>
<p>${refusal.message}</p>
<p class="fine mono">${refusal.code} · ${request.id}</p>`,
  })
}
