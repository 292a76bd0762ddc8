/**
 * Hosted forms, for people without a session: a page, the same page for a frame on another site,
 * and a post from any page or script. No script is required, and the browser stores nothing.
 */

import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { ReadSenderProfile } from '../../../accounts/businesses/sender-profile.ts'
import { type Refusal, refuse, statusOf } from '../../../core/errors.ts'
import { wordsIn } from '../../../core/recipient-words/languages.ts'
import { asksToConfirm } from '../../../forms/hosted/asks-to-confirm.ts'
import { findHostedForm } from '../../../forms/hosted/find-hosted-form.ts'
import type { HostedForm } from '../../../forms/hosted/hosted-form.ts'
import { hostedFormLimits } from '../../../forms/hosted/limits.ts'
import { makePageToken } from '../../../forms/hosted/page-token.ts'
import {
  type HostedFormDeps,
  type Submitted,
  submitHosted,
  type VisitorPost,
} from '../../../forms/hosted/submit-hosted.ts'
import { type FormAddresses, formsBase, urlOf } from '../../../forms/view.ts'
import type { Log } from '../../../lib/process/log.ts'
import { openToAnyOrigin } from '../../any-origin.ts'
import { errorBody } from '../../error-body.ts'
import { takeForms, takeJsonFields, takeMultipart } from '../../form-body.ts'
import { asRefusal } from '../../server.ts'
import { sendRecipientError, sendRecipientPage } from '../public/recipient-page.ts'
import { registerChallengeScript } from './challenge-script.ts'
import { type FormTexts, textsOf } from './form-texts.ts'
import { closedBody, formBody, thanksBody, thanksLines } from './form-view.ts'
import { answersIn, postedForm } from './posted-form.ts'

export interface HostedFormPagesDeps extends HostedFormDeps {
  log: Log
  addresses: FormAddresses & {
    /** Whether the host name belongs to another business, whose visitors see no form of this one. */
    isForeign?(host: string, businessId: HostedForm['businessId']): Promise<boolean>
  }
  senderProfileOf: ReadSenderProfile
}

type FormRequest = FastifyRequest<{
  Params: { form: string }
  Querystring: Record<string, unknown>
}>

/** The form behind an address, and the language of its page. */
interface Shown {
  form: HostedForm
  business: string
  colour: string | undefined
  texts: FormTexts
  isFrame: boolean
}

export function registerHostedForms(app: FastifyInstance, deps: HostedFormPagesDeps): void {
  app.register(async (scope) => {
    takeForms(scope, hostedFormLimits.postBytes)
    takeMultipart(scope)
    takeJsonFields(scope)
    openToAnyOrigin(scope, ['/f/:form', '/f/:form/embed'], 'GET, POST')
    scope.setErrorHandler((error: FastifyError, request, reply) => {
      const refusal = asRefusal(error, request)
      if (statusOf[refusal.code] >= 500) {
        deps.log.error({ err: error, request_id: request.id }, 'http.error')
      }
      return sendRefusal(reply, request, refusal)
    })
    registerChallengeScript(scope)
    for (const path of ['/f/:form', '/f/:form/embed']) {
      scope.get(path, (request, reply) => showForm(deps, request as FormRequest, reply))
      scope.post(path, (request, reply) => takePost(deps, request as FormRequest, reply))
      scope.get(`${path}/thanks`, (request, reply) =>
        showThanks(deps, request as FormRequest, reply),
      )
    }
  })
}

async function showForm(
  deps: HostedFormPagesDeps,
  request: FormRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const shown = await findShown(deps, request)
  if (!shown) return sendRefusal(reply, request, noSuchForm())
  if (shown.form.status !== 'published') return sendClosed(reply, request, shown)
  const isSentHere = shown.form.isGuarded && request.query['here'] === '1'
  if (isSentHere && wantsJson(request)) {
    const message = 'This form takes answers from its own page alone at the moment: open it.'
    const url = await hostedUrlOf(deps, shown.form)
    return sendRefusal(reply, request, refuse('conflict', message, { data: { url } }))
  }
  // Only a person's answers are prefilled: nobody consents to anything by following a link.
  const fields = shown.form.fields.filter(({ type }) => type !== 'consent')
  const again = {
    answers: answersIn(request.query, fields),
    problems: new Map(),
    ...(isSentHere && { notice: 'sendHere' as const }),
  }
  return sendForm(deps, request, reply, { shown, again })
}

async function takePost(
  deps: HostedFormPagesDeps,
  request: FormRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const shown = await findShown(deps, request)
  if (!shown) return sendRefusal(reply, request, noSuchForm())
  const { form, texts } = shown
  if (form.status !== 'published') return sendClosed(reply, request, shown)
  const formUrl = await hostedUrlOf(deps, form)
  const post = postedForm(request, form.fields, { texts, formUrl })
  const submitted = await submitHosted(deps, form, post)
  if (submitted.result === 'challenge') {
    return reply.redirect(`${pathOf(request)}${queryOf(request, { here: '1' })}`, 303)
  }
  if (wantsJson(request)) return sendJson(reply, request, shown, { submitted, post })
  if (submitted.result === 'taken') {
    const asked = asksToConfirm(form, post.answers) ? { confirm: '1' } : {}
    const thanks = `${pathOf(request)}/thanks${queryOf(request, asked)}`
    return reply.redirect(form.page.redirect_url ?? thanks, 303)
  }
  return sendForm(deps, request, reply, { shown, again: { ...submitted, answers: post.answers } })
}

async function showThanks(
  deps: HostedFormPagesDeps,
  request: FormRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const shown = await findShown(deps, request)
  if (!shown) return sendRefusal(reply, request, noSuchForm())
  return sendFormPage(reply, shown, {
    body: thanksBody(shown.texts, { asksToConfirm: request.query['confirm'] === '1' }),
  })
}

async function hostedUrlOf(
  { addresses }: HostedFormPagesDeps,
  { id, businessId }: HostedForm,
): Promise<string> {
  return urlOf(id, await formsBase(addresses, businessId))
}

async function findShown(
  { db, senderProfileOf, addresses }: HostedFormPagesDeps,
  request: FormRequest,
): Promise<Shown | undefined> {
  const form = await findHostedForm(db, request.params.form)
  const business = form && (await senderProfileOf(form.businessId))
  if (!form || !business) return undefined
  if (await addresses.isForeign?.(request.hostname, form.businessId)) return undefined
  const { lang } = request.query
  const visitor = {
    lang: typeof lang === 'string' ? lang : undefined,
    acceptLanguage: request.headers['accept-language'],
  }
  return {
    form,
    business: business.name,
    colour: form.page.colour ?? business.colour ?? undefined,
    texts: textsOf(form, business.language, visitor),
    isFrame: request.routeOptions.url?.includes('/embed') ?? false,
  }
}

type Answered = Exclude<Submitted, { result: 'challenge' }>

type Again = Pick<Parameters<typeof formBody>[0], 'answers' | 'problems' | 'notice'>

function sendForm(
  { vault, clock }: HostedFormPagesDeps,
  request: FormRequest,
  reply: FastifyReply,
  { shown, again }: { shown: Shown; again: Again },
): FastifyReply {
  const { form, texts } = shown
  const body = formBody({
    fields: form.fields,
    texts,
    action: `${pathOf(request)}${queryOf(request)}`,
    token: makePageToken(vault, form.id, clock.now()),
    isGuarded: form.isGuarded,
    ...again,
  })
  const isFirst = again.problems.size === 0 && (again.notice ?? 'sendHere') === 'sendHere'
  const status = isFirst ? 200 : again.notice === 'tooMany' ? 429 : 422
  return sendFormPage(reply, shown, { body, status, runsScript: form.isGuarded })
}

function sendFormPage(
  reply: FastifyReply,
  { form, business, colour, texts, isFrame }: Shown,
  page: Pick<Parameters<typeof sendRecipientPage>[1], 'body' | 'status' | 'runsScript'>,
): FastifyReply {
  const { allowed_sites, redirect_url } = form.page
  return sendRecipientPage(reply, {
    ...page,
    business,
    title: texts.title,
    language: texts.language,
    ...(colour !== undefined && { colour }),
    ...(redirect_url !== undefined && { formGoesTo: new URL(redirect_url).origin }),
    ...(isFrame && { bare: true, ...(allowed_sites && { shownOn: allowed_sites }) }),
  })
}

function sendClosed(reply: FastifyReply, request: FormRequest, shown: Shown): FastifyReply {
  if (wantsJson(request)) {
    return sendRefusal(reply, request, refuse('gone', 'This form takes no answers at the moment.'))
  }
  return sendFormPage(reply, shown, { body: closedBody(shown.texts), status: 410 })
}

function sendJson(
  reply: FastifyReply,
  request: FormRequest,
  { form, texts }: Shown,
  { submitted, post }: { submitted: Answered; post: VisitorPost },
): FastifyReply {
  const words = wordsIn(texts.language).form
  if (submitted.result === 'taken') {
    const { redirect_url } = form.page
    const thanks = thanksLines(texts, {
      asksToConfirm: asksToConfirm(form, post.answers),
    }).join('\n')
    return reply.send({ ok: true, thanks, ...(redirect_url !== undefined && { redirect_url }) })
  }
  const { notice, problems } = submitted
  if (notice === 'tooMany') {
    return sendRefusal(reply, request, refuse('rate_limited', words.tooMany, { retryAfter: 60 }))
  }
  const errors = Object.fromEntries([...problems].map(([key, one]) => [key, words[one]]))
  const message = notice === undefined ? words.problems : words[notice]
  return sendRefusal(reply, request, refuse('invalid_request', message, { data: { errors } }))
}

function sendRefusal(reply: FastifyReply, request: FastifyRequest, refusal: Refusal): FastifyReply {
  if (!wantsJson(request)) return sendRecipientError(reply, request, refusal)
  const { retryAfter } = refusal.details
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return reply.code(statusOf[refusal.code]).send(errorBody(refusal, request.id))
}

function noSuchForm(): Refusal {
  return refuse('not_found', 'There is no form at this address. Ask whoever gave it to you.')
}

function wantsJson({ headers }: FastifyRequest): boolean {
  const { accept = '' } = headers
  return accept.includes('application/json') && !accept.includes('text/html')
}

function pathOf(request: FormRequest): string {
  return request.url.split('?', 1)[0] ?? ''
}

/** The language in the URL, and further facts that the next page needs. */
function queryOf({ query }: FormRequest, more: Readonly<Record<string, string>> = {}): string {
  const { lang } = query
  const all = new URLSearchParams({ ...(typeof lang === 'string' && { lang }), ...more }).toString()
  return all === '' ? '' : `?${all}`
}
