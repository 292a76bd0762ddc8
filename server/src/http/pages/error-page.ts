import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Code, Refusal } from '../../platform/errors.ts'
import { html } from '../../platform/html.ts'
import { sendPage } from './page.ts'

const titles: Partial<Record<Code, string>> = {
  access_denied: 'This address cannot sign in',
  forbidden_origin: 'Nothing was done',
  gone: 'This link works no more',
  invalid_client: 'The app is not known here',
  invalid_redirect_uri: 'The app may not send you back there',
  not_found: 'There is nothing here',
  rate_limited: 'Too many tries',
  internal: 'Something failed on our side',
  unavailable: 'Crier is away for a moment',
}

/** A refusal for people: what happened, what to do, and the id that finds it in the log. */
export function sendErrorPage(
  reply: FastifyReply,
  request: FastifyRequest,
  refusal: Refusal,
): FastifyReply {
  const title = titles[refusal.code] ?? 'That did not work'
  const { retryAfter } = refusal.details
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return sendPage(reply, {
    title,
    status: refusal.status,
    body: html`<h1>${title}</h1>
<p>${refusal.message}</p>
<p class="fine mono">${refusal.code} · ${request.id}</p>
<p><a href="/">To the start</a></p>`,
  })
}

/** Whether an error is to be shown to a person rather than read by a program. */
export function wantsPage(request: FastifyRequest): boolean {
  return (
    (request.headers.accept ?? '').includes('text/html') && !request.url.startsWith('/.well-known/')
  )
}
