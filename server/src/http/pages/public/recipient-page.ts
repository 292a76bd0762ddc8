/**
 * The frame of pages for recipients. They know the business that writes to them, but not this
 * service, so the page shows the business's name and has no link into the app.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Refusal, statusOf } from '../../../core/errors.ts'
import { html } from '../../../lib/text/html.ts'
import { errorTitle } from '../shared/error-page.ts'
import { type Page, sendPage } from '../shared/page.ts'

export interface RecipientPage
  extends Pick<
    Page,
    | 'title'
    | 'body'
    | 'status'
    | 'language'
    | 'colour'
    | 'formGoesTo'
    | 'shownOn'
    | 'bare'
    | 'runsScript'
    | 'keptSeconds'
    | 'head'
  > {
  /** Undefined if the link does not identify the business. */
  business: string | undefined
}

export function sendRecipientPage(
  reply: FastifyReply,
  { business, ...page }: RecipientPage,
): FastifyReply {
  return sendPage(reply, { ...page, recipientOf: { business } })
}

/** A page that tells a recipient what happened and what to do. */
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
