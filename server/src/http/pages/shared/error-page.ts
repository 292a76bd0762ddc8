import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Code, type Refusal, statusOf } from '../../../core/errors.ts'
import {
  acceptedLanguages,
  chooseLanguage,
  type RecipientLanguage,
  wordsIn,
} from '../../../core/recipient-words/languages.ts'
import { html } from '../../../lib/text/html.ts'
import { sendPage } from './page.ts'

const titles: Partial<Record<Code, string>> = {
  access_denied: 'You can’t sign in with this address',
  forbidden_origin: 'Request blocked',
  gone: 'This link no longer works',
  invalid_client: 'Unknown app',
  invalid_redirect_uri: 'Redirect address not allowed',
  not_found: 'Page not found',
  rate_limited: 'Too many attempts',
  internal: 'Something went wrong on our side',
  unavailable: 'Not available right now',
}

export function errorTitle({ code, details }: Refusal): string {
  if (code === 'not_found' && details.fix?.url === '/login') return 'This link does not work'
  return titles[code] ?? 'That didn’t work'
}

/** The next page for the person. */
export interface NextStep {
  href: string
  label: string
}

/** For a link that no longer works: the page that sends a new one. */
export function nextOf({ details }: Refusal): NextStep {
  return details.fix?.url === '/login' ? { href: '/login', label: 'Go to sign-in' } : home
}

const home: NextStep = { href: '/', label: 'Home' }

/** A refusal for people: the event, the next step, and the id that finds it in the log. */
export function sendErrorPage(
  reply: FastifyReply,
  request: FastifyRequest,
  refusal: Refusal,
  next: NextStep = home,
  /** In English without it. */
  worded?: { language: RecipientLanguage; title: string },
): FastifyReply {
  const title = worded?.title ?? errorTitle(refusal)
  const { retryAfter } = refusal.details
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return sendPage(reply, {
    title,
    ...(worded && { language: worded.language }),
    status: statusOf[refusal.code],
    body: html`<h1>${title}</h1>
<p>${refusal.message}</p>
<p class="fine mono">${refusal.code} · ${request.id}</p>
<p><a href="${next.href}">${next.label}</a></p>`,
  })
}

/** For an address without a page, in the visitor's language, since anybody may come by it. */
export function sendNoPage(reply: FastifyReply, request: FastifyRequest): FastifyReply {
  const language = chooseLanguage(...acceptedLanguages(request.headers['accept-language']))
  const { pageTitle, pageText } = wordsIn(language).errors
  return sendPage(reply, {
    title: pageTitle,
    language,
    status: statusOf.not_found,
    body: html`<h1>${pageTitle}</h1>
<p>${pageText}</p>
<p class="fine mono">not_found · ${request.id}</p>`,
  })
}

/** Whether an error will be shown to a person rather than read by a program. */
export function wantsPage(request: FastifyRequest): boolean {
  return (request.headers.accept ?? '').includes('text/html') && !programPaths.test(request.url)
}

const programPaths = /^\/(?:\.well-known|v1|api|mcp)(?:[/?]|$)/
