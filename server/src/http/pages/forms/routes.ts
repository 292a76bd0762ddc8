/**
 * Hosted forms, for people without a session: a page, the same page for a frame on another site,
 * and a post from any page or script. No script is required, and the browser stores nothing.
 */
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { PageLook } from '../../../accounts/businesses/brand.ts'
import type { SenderProfile } from '../../../accounts/businesses/business.ts'
import type { ReadSenderProfile } from '../../../accounts/businesses/sender-profile.ts'
import { textColourOn } from '../../../accounts/settings/contrast.ts'
import { type Topic, topicIn } from '../../../contacts/topics/topic.ts'
import { type Refusal, refuse, statusOf } from '../../../core/errors.ts'
import { formatId } from '../../../core/ids.ts'
import {
  acceptedLanguages,
  chooseLanguage,
  directionOf,
  type RecipientLanguage,
  wordsIn,
} from '../../../core/recipient-words/languages.ts'
import type { RecipientWords } from '../../../core/recipient-words/words.ts'
import { highestRating, readUrl } from '../../../forms/answers.ts'
import {
  addressField,
  type FormAddresses,
  type FormField,
  formsBase,
  urlOf,
} from '../../../forms/form.ts'
import type { FormTranslation } from '../../../forms/form-page.ts'
import { guardLimits } from '../../../forms/guard/limits.ts'
import {
  asksToConfirm,
  findHostedForm,
  type HostedForm,
  type HostedFormDeps,
  hostedFormLimits,
  makePageToken,
  type Problems,
  type Submitted,
  submitHosted,
  type VisitorPost,
} from '../../../forms/hosted-form.ts'
import { expectedHeight } from '../../../forms/share.ts'
import type { Log } from '../../../lib/process/log.ts'
import { countriesIn } from '../../../lib/text/countries.ts'
import { type Html, html } from '../../../lib/text/html.ts'
import { formOf, takeForms, takeJsonFields, takeMultipart } from '../../body.ts'
import { visitOf } from '../../caller-address.ts'
import { errorBody } from '../../error-body.ts'
import { openToAnyOrigin } from '../../origins.ts'
import { asRefusal } from '../../server.ts'
import { sendRecipientError, sendRecipientPage } from '../public/recipient-page.ts'
import {
  embedOf,
  frameScriptTag,
  registerFrameScript,
  sendEmbedScript,
  sendNoEmbed,
} from './embed-script.ts'

interface HostedFormPagesDeps extends HostedFormDeps {
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

type Responsible = Pick<SenderProfile, 'name' | 'postalAddress' | 'privacyUrl'>

/** The form behind an address, and the language of its page. */
interface Shown {
  form: HostedForm
  business: string
  /** Who is responsible for the data, and the address of its privacy policy. */
  responsible: Responsible
  colour: string | undefined
  look: PageLook | undefined
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
    registerFrameScript(scope)
    for (const kind of ['svg', 'png'] as const) {
      scope.get(`/f/:form/qr.${kind}`, (request, reply) =>
        sendQrCode(deps, { request: request as FormRequest, reply, kind }),
      )
    }
    scope.get('/f/:form/embed.js', (request, reply) =>
      sendEmbed(deps, request as FormRequest, reply),
    )
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
  const view = await findShown(deps, request)
  if (!view) return sendRefusal(reply, request, noSuchForm())
  if (view.form.status !== 'published') return sendClosed(reply, request, view)
  const isSentHere = view.form.isGuarded && request.query['here'] === '1'
  if (isSentHere && wantsJson(request)) {
    const message = 'At the moment this form accepts answers only on its own page: open it.'
    const url = await hostedUrlOf(deps, view.form)
    return sendRefusal(reply, request, refuse('conflict', message, { data: { url } }))
  }
  // Only a person's answers are prefilled: nobody consents to anything by following a link.
  const fields = view.form.fields.filter(({ type }) => type !== 'consent')
  const again = {
    answers: answersIn(request.query, fields),
    problems: new Map(),
    ...(isSentHere && { notice: 'sendHere' as const }),
  }
  return sendForm(deps, request, reply, { shown: view, again })
}

/** A form that is not published has a script that does nothing, so that the site has no error. */
async function sendEmbed(
  deps: HostedFormPagesDeps,
  request: FormRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const view = await findShown(deps, request)
  if (!view) return sendRefusal(reply, request, noSuchForm())
  const { form, colour = defaultColour, texts } = view
  if (form.status !== 'published') return sendNoEmbed(reply)
  const { lang } = request.query
  const words = wordsIn(texts.language).form
  const submit = texts.submit ?? words.submit
  return sendEmbedScript(reply, {
    id: formatId('form', form.id),
    frameUrl: `${await hostedUrlOf(deps, form)}/embed${typeof lang === 'string' ? `?${new URLSearchParams({ lang })}` : ''}`,
    title: texts.title,
    label: form.page.embed?.label ?? submit,
    close: words.close,
    direction: directionOf(texts.language),
    colour,
    textColour: textColourOn(colour),
    height: expectedHeight(form.fields, texts.intro),
    goesTo: form.page.redirect_url,
    ...embedOf(form.page.embed),
  })
}

/** The address of the form as a QR code, for print. The library is loaded with the first one. */
async function sendQrCode(
  deps: HostedFormPagesDeps,
  { request, reply, kind }: { request: FormRequest; reply: FastifyReply; kind: 'svg' | 'png' },
): Promise<FastifyReply> {
  const view = await findShown(deps, request)
  if (!view) return sendRefusal(reply, request, noSuchForm())
  const { generate } = await import('lean-qr')
  const code = generate(await hostedUrlOf(deps, view.form))
  reply.headers({ 'cache-control': 'public, max-age=3600', 'x-content-type-options': 'nosniff' })
  if (kind === 'svg') {
    const { toSvgSource } = await import('lean-qr/extras/svg')
    return reply.type('image/svg+xml').send(toSvgSource(code, { xmlDeclaration: true }))
  }
  const { toPngBuffer } = await import('lean-qr/extras/node_export')
  return reply.type('image/png').send(toPngBuffer(code, { scale: 16 }))
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
    const confirmation = asksToConfirm(form, post.answers) ? { confirm: '1' } : {}
    const thanks = `${pathOf(request)}/thanks${queryOf(request, confirmation)}`
    const goesTo = isEmbedded(request) ? undefined : form.page.redirect_url
    return reply.redirect(goesTo ?? thanks, 303)
  }
  return sendForm(deps, request, reply, { shown, again: { ...submitted, answers: post.answers } })
}

async function showThanks(
  deps: HostedFormPagesDeps,
  request: FormRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const view = await findShown(deps, request)
  if (!view) return sendRefusal(reply, request, noSuchForm())
  const thanks = thanksBody(view.texts, { asksToConfirm: request.query['confirm'] === '1' })
  return sendFormPage(reply, view, {
    body: html`${thanks}${isEmbedded(request) && html`\n<div data-sent></div>${frameScriptTag}`}`,
    runsScript: isEmbedded(request),
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
    responsible: business,
    colour: form.page.colour ?? business.colour ?? undefined,
    look: business.look,
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
  const { form, texts, responsible } = shown
  const { _source_url: source } = request.query
  const body = formBody({
    fields: form.fields,
    texts,
    source: typeof source === 'string' && isEmbedded(request) ? readUrl(source) : undefined,
    action: `${pathOf(request)}${queryOf(request)}`,
    token: makePageToken(vault, form.id, clock.now()),
    isGuarded: form.isGuarded,
    responsible,
    ...again,
  })
  const isFirst = again.problems.size === 0 && (again.notice ?? 'sendHere') === 'sendHere'
  const status = isFirst ? 200 : again.notice === 'tooMany' ? 429 : 422
  return sendFormPage(reply, shown, {
    body: isEmbedded(request) ? html`${body}\n${frameScriptTag}` : body,
    status,
    runsScript: form.isGuarded || isEmbedded(request),
  })
}

function sendFormPage(
  reply: FastifyReply,
  { form, business, colour, look, texts, isFrame }: Shown,
  page: Pick<Parameters<typeof sendRecipientPage>[1], 'body' | 'status' | 'runsScript'>,
): FastifyReply {
  const { allowed_sites, redirect_url } = form.page
  return sendRecipientPage(reply, {
    ...page,
    business,
    title: texts.title,
    language: texts.language,
    ...(colour !== undefined && { colour }),
    look,
    ...(redirect_url !== undefined && { formGoesTo: new URL(redirect_url).origin }),
    ...(isFrame && { bare: true, ...(allowed_sites && { shownOn: allowed_sites }) }),
  })
}

function sendClosed(reply: FastifyReply, request: FormRequest, shown: Shown): FastifyReply {
  if (wantsJson(request)) {
    return sendRefusal(
      reply,
      request,
      refuse('gone', 'This form is not accepting answers at the moment.'),
    )
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
  const errors = Object.fromEntries([...problems].map(([key, problem]) => [key, words[problem]]))
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

/** Whether the script of the form made the frame. */
function isEmbedded({ query, routeOptions }: FormRequest): boolean {
  return query['embed'] === '1' && (routeOptions.url?.includes('/embed') ?? false)
}

/** What the next page needs of this one's query: its language, and what the frame's script said. */
const lastingNames = ['lang', 'embed', 'theme', '_source_url']

/** The lasting part of the query, and further facts that the next page needs. */
function queryOf({ query }: FormRequest, more: Readonly<Record<string, string>> = {}): string {
  const all = new URLSearchParams(more)
  for (const name of lastingNames) {
    const value = query[name]
    if (typeof value === 'string') all.set(name, value)
  }
  return all.size === 0 ? '' : `?${all}`
}

/**
 * Ignores fields that the form does not have: another site's page may send the name of its button.
 * `formUrl` is the source of a submission where no header names its page.
 */
function postedForm(
  request: FastifyRequest,
  fields: readonly FormField[],
  { texts, formUrl }: { texts: FormTexts; formUrl: string },
): VisitorPost {
  const body = formOf(request.body)
  const text = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
  const token = text(ownFields.token)
  const { address, agent } = visitOf(request)
  const consents = fields.filter(({ type }) => type === 'consent')
  return {
    answers: answersIn(body, fields),
    pageToken: token === '' ? undefined : token,
    proof: text(ownFields.proof),
    trap: text(ownFields.trap),
    sourceUrl: readUrl(text(ownFields.source)) ?? readUrl(request.headers.referer ?? '') ?? formUrl,
    consentTexts: Object.fromEntries(consents.map((field) => [field.key, texts.labelOf(field)])),
    language: texts.language,
    visitor: { address, agent },
    isBrowser: isBrowserPost(request),
    requestId: request.id,
  }
}

/**
 * Whether a browser sent the page's own form (Fetch Metadata): what a program has to imitate, and a
 * person whose browser fills the form in within a second has anyway.
 */
function isBrowserPost({ headers }: FastifyRequest): boolean {
  const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = headers
  return site === 'same-origin' && mode === 'navigate'
}

/** By key, as `form.submit` accepts them. Several ticks of one field are joined by commas. */
function answersIn(
  sent: Readonly<Record<string, unknown>>,
  fields: readonly FormField[],
): Record<string, string> {
  const answers = fields.flatMap(({ key }): [string, string][] => {
    if (!Object.hasOwn(sent, key)) return []
    const value = sent[key]
    const values: unknown[] = Array.isArray(value) ? value : [value]
    const texts = values.filter((entry) => ['string', 'number', 'boolean'].includes(typeof entry))
    return texts.length === 0 ? [] : [[key, texts.map(String).join(',')]]
  })
  return Object.fromEntries(answers)
}

/** The colour of buttons where neither the form nor the business has one. */
const defaultColour = '#4f46e5'

/** Our own fields beside the business's, whose keys begin with a letter. */
const ownFields = {
  token: '_page',
  proof: '_proof',
  trap: '_more',
  source: '_source_url',
} as const

interface FormBody {
  fields: readonly FormField[]
  texts: FormTexts
  action: string
  token: string
  /** The page of another site that shows the form in its frame. */
  source: string | undefined
  answers: Readonly<Record<string, string>>
  problems: Problems
  notice?: 'expired' | 'tryAgain' | 'tooMany' | 'sendHere' | undefined
  /** Whether the browser must solve a challenge, if it runs scripts. */
  isGuarded: boolean
  responsible: Responsible
}

function formBody(body: FormBody): Html {
  const { fields, texts, action, token, source, problems, notice, isGuarded, responsible } = body
  const words = wordsIn(texts.language).form
  const context = { ...body, words }
  return html`<h1 dir="auto">${texts.title}</h1>
${texts.intro !== undefined && html`<p class="lead" dir="auto">${linesOf(texts.intro)}</p>`}
${notice && html`<p class="warning" role="alert" tabindex="-1" autofocus>${words[notice]}</p>`}
${problems.size > 0 && summary(fields, context)}
<form method="post" action="${action}" class="card"${isGuarded && html` data-bits="${guardLimits.proofBits}"`}>
<input type="hidden" name="${ownFields.token}" value="${token}">
${source !== undefined && html`<input type="hidden" name="${ownFields.source}" value="${source}">`}
${isGuarded && html`<input type="hidden" name="${ownFields.proof}" value="">`}
<div class="unseen" aria-hidden="true"><label>${words.leaveEmpty} <input name="${ownFields.trap}" tabindex="-1" autocomplete="off"></label></div>
${fields.map((field) => fieldView(field, context))}
<div class="actions"><button>${texts.submit ?? words.submit}</button></div>
${
  isGuarded &&
  html`<p role="status" class="fine" hidden>${words.wait}</p>
<script src="${challengePath}" defer></script>`
}
</form>
${fields.some(({ type }) => type === 'consent') && responsibleLine(responsible, words)}`
}

/** What a person who is asked for consent has to know (GDPR, article 13). */
function responsibleLine(
  { name, postalAddress, privacyUrl }: Responsible,
  words: RecipientWords['form'],
): Html {
  const address = postalAddress?.split('\n').join(', ')
  return html`<p class="fine" dir="auto">${words.responsible}: ${[name, address].filter(Boolean).join(', ')}${privacyUrl && html`. <a href="${privacyUrl}" target="_blank" rel="noreferrer">${words.privacy}</a>`}</p>`
}

type SummaryContext = Pick<FormBody, 'texts' | 'problems'> & {
  words: ReturnType<typeof wordsIn>['form']
}

/** The summary of errors. It takes the focus, and links to each field. */
function summary(fields: readonly FormField[], { texts, problems, words }: SummaryContext): Html {
  const lines = fields.flatMap((field) => {
    const problem = problems.get(field.key)
    if (!problem) return []
    return html`<li><a href="#${idOf(field)}"><span dir="auto">${texts.labelOf(field)}</span>: ${words[problem]}</a></li>`
  })
  return html`<div class="warning" role="alert" tabindex="-1" autofocus><h2>${words.problems}</h2>
<ul>${lines}</ul></div>`
}

interface ThanksContext {
  /** Whether the visitor's consent waits for a confirmation by mail. */
  asksToConfirm: boolean
}

function thanksBody(texts: FormTexts, context: ThanksContext): Html {
  const words = wordsIn(texts.language).form
  const title = context.asksToConfirm ? words.confirmTitle : words.thanksTitle
  const paragraphs = thanksLines(texts, context).map(
    (text) => html`<p dir="auto">${linesOf(text)}</p>`,
  )
  return html`<h1>${title}</h1>
${paragraphs}`
}

/** The thanks to a visitor whose answers were accepted, paragraph by paragraph. */
function thanksLines({ language, thanks }: FormTexts, { asksToConfirm }: ThanksContext): string[] {
  const words = wordsIn(language).form
  if (!asksToConfirm) return [thanks ?? words.thanksText]
  return thanks === undefined ? [words.confirmText] : [thanks, words.confirmText]
}

function closedBody({ language }: FormTexts): Html {
  const words = wordsIn(language).form
  return html`<h1>${words.closedTitle}</h1>
<p>${words.closedText}</p>`
}

/** Preserves the line breaks that a business wrote. */
function linesOf(text: string): Html[] {
  return text.split('\n').map((line, n) => html`${n > 0 && html`<br>`}${line}`)
}

interface FieldContext {
  fields: readonly FormField[]
  texts: FormTexts
  words: RecipientWords['form']
  answers: Readonly<Record<string, string>>
  problems: Problems
}

/** One field of a hosted form, with its label above and its error below. */
function fieldView(field: FormField, context: FieldContext): Html {
  const { key, type } = field
  const answer = answerTo(field, context)
  if (type === 'hidden') return html`<input type="hidden" name="${key}" value="${answer}">`
  if (type === 'consent' || type === 'boolean') return tickBox(field, context, answer)
  if (type === 'rating') return rating(field, context, answer)
  if (['radio', 'several-of', 'topics'].includes(type)) return choices(field, context, answer)
  return html`<div class="field"><label for="${idOf(field)}">${label(field, context)}</label>
${control(field, context, answer)}
${fault(field, context)}</div>`
}

function idOf({ key }: FormField): string {
  return `f-${key}`
}

function answerTo({ key }: FormField, { answers }: FieldContext): string {
  return Object.hasOwn(answers, key) ? (answers[key] ?? '') : ''
}

function label(field: FormField, { texts, words }: FieldContext): Html {
  const mark = field.required && html` <span class="fine">(${words.required})</span>`
  return html`<span dir="auto">${texts.labelOf(field)}</span>${mark}`
}

function fault(field: FormField, { problems, words }: FieldContext): Html | undefined {
  const problem = problems.get(field.key)
  return problem && html`<p class="fault" id="${idOf(field)}-fault">${words[problem]}</p>`
}

/** Links the field to its error for screen readers. */
function state(field: FormField, { problems }: FieldContext): Html {
  const faultAttributes =
    problems.has(field.key) && html` aria-invalid="true" aria-describedby="${idOf(field)}-fault"`
  return html`${field.required && html` required`}${faultAttributes}`
}

function tickBox(field: FormField, context: FieldContext, answer: string): Html {
  const checked = answer !== '' && !/^(?:false|off|no|0)$/i.test(answer)
  return html`<div class="field"><label class="choice"><input type="checkbox" id="${idOf(field)}" name="${field.key}" value="true"${checked && html` checked`}${state(field, context)}>
<span>${label(field, context)}</span></label>
${fault(field, context)}</div>`
}

function choices(field: FormField, context: FieldContext, answer: string): Html {
  const { key, type, options = [] } = field
  const chosen = new Set(type === 'radio' ? [answer] : answer.split(',').map((part) => part.trim()))
  const kind = type === 'radio' ? 'radio' : 'checkbox'
  const lines = options.map((option, n) => {
    const id = n === 0 ? idOf(field) : `${idOf(field)}-${n}`
    const checked = chosen.has(option) && html` checked`
    const must = type === 'radio' && state(field, context)
    return html`<label class="choice"><input type="${kind}" id="${id}" name="${key}" value="${option}"${checked}${must}>
<span dir="auto">${context.texts.optionOf(field, option)}</span></label>`
  })
  return html`<fieldset class="field"><legend>${label(field, context)}</legend>
${lines}
${fault(field, context)}</fieldset>`
}

/** Ratings side by side, the worst first. */
function rating(field: FormField, context: FieldContext, answer: string): Html {
  const marks = Array.from({ length: highestRating }, (_, n) => String(n + 1))
  const lines = marks.map((mark, n) => {
    const id = n === 0 ? idOf(field) : `${idOf(field)}-${n}`
    const checked = mark === answer && html` checked`
    return html`<label class="choice"><input type="radio" id="${id}" name="${field.key}" value="${mark}"${checked}${state(field, context)}>
<span>${mark}</span></label>`
  })
  return html`<fieldset class="field"><legend>${label(field, context)} <span class="fine">(1–${highestRating})</span></legend>
<div class="marks">${lines}</div>
${fault(field, context)}</fieldset>`
}

/** The end tag of an option may be left out, which saves a list of all countries 2 kB. */
function countries(field: FormField, context: FieldContext, answer: string): Html {
  const list = countriesIn(context.texts.language).map(({ code, name }) => {
    const chosen = code === answer.toUpperCase() && html` selected`
    return html`<option value="${code}"${chosen}>${name}`
  })
  return html`<select id="${idOf(field)}" name="${field.key}" autocomplete="country"${state(field, context)}><option value="">${context.words.choose}${list}</select>`
}

function control(field: FormField, context: FieldContext, answer: string): Html {
  const { key, type, options = [] } = field
  const id = idOf(field)
  if (type === 'textarea') {
    return html`<textarea id="${id}" name="${key}" rows="4" dir="auto"${state(field, context)}>${answer}</textarea>`
  }
  if (type === 'select') {
    const list = options.map((option) => {
      const chosen = option === answer && html` selected`
      return html`<option value="${option}"${chosen}>${context.texts.optionOf(field, option)}`
    })
    return html`<select id="${id}" name="${key}"${state(field, context)}><option value="">${context.words.choose}${list}</select>`
  }
  if (type === 'country') return countries(field, context, answer)
  const kind = inputTypes[type] ?? 'text'
  const complete = autocompleteOf(field, context)
  return html`<input type="${kind}" id="${id}" name="${key}" value="${answer}"${complete && html` autocomplete="${complete}"`}${type === 'number' && html` inputmode="decimal"`}${kind === 'text' && html` dir="auto"`}${state(field, context)}>`
}

const inputTypes: Partial<Record<FormField['type'], string>> = {
  email: 'email',
  phone: 'tel',
  date: 'date',
  url: 'url',
}

/** Tokens of the HTML standard ("autofill"), by what the field is stored as or called. */
const autocompleteByKey: Readonly<Record<string, string>> = {
  name: 'name',
  first_name: 'given-name',
  last_name: 'family-name',
  company: 'organization',
  city: 'address-level2',
  postcode: 'postal-code',
  zip: 'postal-code',
  country: 'country',
  birthday: 'bday',
}

function autocompleteOf(field: FormField, { fields }: FieldContext): string | undefined {
  if (field === addressField(fields, 'email')) return 'email'
  if (field === addressField(fields, 'phone')) return 'tel'
  return Object.hasOwn(autocompleteByKey, field.key) ? autocompleteByKey[field.key] : undefined
}

/** The texts of a hosted form in its visitor's language. */
interface FormTexts {
  language: RecipientLanguage
  title: string
  intro: string | undefined
  submit: string | undefined
  thanks: string | undefined
  labelOf(field: FormField): string
  optionOf(field: FormField, option: string): string
}

interface Visitor {
  /** `?lang=` in the URL. */
  lang: string | undefined
  acceptLanguage: string | undefined
}

/**
 * The language in the URL, else the first that the browser accepts and the form has texts in, else
 * the business's.
 */
function textsOf(
  { name, page, offeredTopics }: Pick<HostedForm, 'name' | 'page' | 'offeredTopics'>,
  ofBusiness: string,
  { lang, acceptLanguage }: Visitor,
): FormTexts {
  const translations = page.texts ?? {}
  const has = (tag: string) => sameLanguage(tag, ofBusiness) || findTag(translations, tag)
  const wantedLanguage =
    lang ?? acceptedLanguages(acceptLanguage).find((tag) => has(tag)) ?? ofBusiness
  const tag = findTag(translations, wantedLanguage)
  const own: FormTranslation = (tag !== undefined && translations[tag]) || {}
  const language = chooseLanguage(wantedLanguage, ofBusiness)
  const topicName = (topic: Topic | undefined) => topic && topicIn(topic, language).name
  return {
    language,
    title: own.title ?? page.title ?? name,
    intro: own.intro ?? page.intro,
    submit: own.submit ?? page.submit,
    thanks: own.thanks ?? page.thanks,
    labelOf: ({ key, label }) => ownText(own.labels, key) ?? label,
    optionOf: ({ key, type }, option) =>
      ownText(ownText(own.options, key), option) ??
      (type === 'topics' ? topicName(offeredTopics.get(option)) : undefined) ??
      option,
  }
}

/** Businesses choose the keys, which may be names that every object inherits. */
function ownText<T>(texts: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return texts && Object.hasOwn(texts, key) ? texts[key] : undefined
}

function findTag(translations: Readonly<Record<string, unknown>>, tag: string): string | undefined {
  const tags = Object.keys(translations)
  const exact = tags.find((text) => text.toLowerCase() === tag.toLowerCase())
  return exact ?? tags.find((text) => sameLanguage(text, tag))
}

function sameLanguage(a: string, b: string): boolean {
  return primaryOf(a) === primaryOf(b)
}

function primaryOf(tag: string): string {
  return tag.split('-', 1)[0]?.toLowerCase() ?? ''
}

/**
 * The script of a guarded form. While the visitor types, it finds a number whose hash with the
 * page's token begins with zero bits (`forms/hosted-form.ts`). Without scripts or WebCrypto in
 * the browser the form is sent without it and its mail is held.
 */
const challengePath = '/f/challenge.js'

const script = `{
  const form = document.querySelector('form[data-bits]')
  const { _page: page, _proof: proof } = form.elements
  const text = new TextEncoder()
  const find = async () => {
    for (let n = 0; !proof.value; n++) {
      const bytes = text.encode(page.value + ' ' + n)
      const hash = new DataView(await crypto.subtle.digest('SHA-256', bytes))
      if (Math.clz32(hash.getUint32(0)) >= form.dataset.bits) proof.value = n
    }
  }
  if (globalThis.crypto?.subtle) {
    const found = find()
    form.addEventListener('submit', async (event) => {
      if (proof.value) return
      event.preventDefault()
      form.querySelector('[role=status]').hidden = false
      await found
      form.submit()
    })
  }
}
`

function registerChallengeScript(scope: FastifyInstance): void {
  scope.get(challengePath, (_request, reply) =>
    reply
      .headers({
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=3600',
        'x-content-type-options': 'nosniff',
      })
      .send(script),
  )
}
