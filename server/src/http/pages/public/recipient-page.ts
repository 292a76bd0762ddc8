/**
 * The frame of pages for recipients. They know the business that writes to them, but not this
 * service, so the page shows the business's name and has no link into the app.
 */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SenderProfile } from '../../../accounts/businesses/business.ts'
import { type Refusal, statusOf } from '../../../core/errors.ts'
import {
  acceptedLanguages,
  chooseLanguage,
  type RecipientLanguage,
  wordsIn,
} from '../../../core/recipient-words/languages.ts'
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
    | 'look'
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

/** What a business's pages have of its brand. */
export function brandOf(
  profile: Pick<SenderProfile, 'colour' | 'look'> | undefined,
): Pick<Page, 'colour' | 'look'> {
  const { colour, look } = profile ?? {}
  return { ...(typeof colour === 'string' && { colour }), look }
}

export function sendRecipientPage(
  reply: FastifyReply,
  { business, ...page }: RecipientPage,
): FastifyReply {
  return sendPage(reply, { ...page, recipientOf: { business } })
}

/**
 * A page that tells a recipient what happened and what to do, in the visitor's language. What a form
 * says about its answers is in the form's language already.
 */
export function sendRecipientError(
  reply: FastifyReply,
  request: FastifyRequest,
  refusal: Refusal,
  business?: string,
): FastifyReply {
  const language = chooseLanguage(...acceptedLanguages(request.headers['accept-language']))
  const { title, text } = errorWords(refusal, language)
  const { retryAfter } = refusal.details
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return sendRecipientPage(reply, {
    business,
    title,
    language,
    status: statusOf[refusal.code],
    body: html`<h1>${title}</h1>
<p>${text}</p>
<p class="fine mono">${refusal.code} · ${request.id}</p>`,
  })
}

/** In English the refusal's own text, which can say more. */
function errorWords(
  refusal: Refusal,
  language: RecipientLanguage,
): { title: string; text: string } {
  const { code, message } = refusal
  const { errors } = wordsIn(language)
  const isEnglish = language === 'en'
  if (code === 'not_found') {
    return { title: errors.linkTitle, text: isEnglish ? message : errors.linkText }
  }
  if (code === 'rate_limited') {
    return { title: errors.busyTitle, text: isEnglish ? message : errors.busyText }
  }
  if (statusOf[code] >= 500) {
    return { title: errors.failedTitle, text: isEnglish ? message : errors.failedText }
  }
  return { title: errorTitle(refusal), text: message }
}
